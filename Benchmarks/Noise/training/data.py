from feat import *
import subprocess
R='sounds/'
def g722(lang,k,seed):
    fl=sorted(glob.glob(f'{R}asterisk-core-sounds-{lang}-g722/**/*.g722',recursive=True))
    r=np.random.default_rng(seed);o=[]
    fl=[f for f in fl if 12000<__import__('os').path.getsize(f)]
    for f in r.permutation(fl)[:k]:
        b=subprocess.run(['ffmpeg','-v','error','-f','g722','-i',f,'-f','f32le','-ar','44100','-ac','1','-'],stdout=subprocess.PIPE).stdout
        o.append(np.frombuffer(b,'<f4').astype(float))
    return np.concatenate(o)
def kt(lang,k):
    o=[]
    for f in sorted(glob.glob(f'{R}ktuberling-data/usr/share/ktuberling/sounds/{lang}/*'))[:k]:
        try:x,r=sf.read(f)
        except Exception: continue
        if x.ndim>1:x=x[:,0]
        o.append(ss.resample_poly(x,44100,r) if r!=44100 else x)
    return np.concatenate(o) if o else np.zeros(0)
V=[(l,g722(l,14,i)[:44100*45],7500.) for i,l in enumerate(['en','fr','es'])]+[(l,kt(l,40)[:44100*30],20000.) for l in ['de','fr','da','fi','uk']]
V=[(l,level(x,65),m) for l,x,m in V if len(x)>44100*8]
print([(l,round(len(x)/fs)) for l,x,m in V])
r=np.random.default_rng(5);allx=np.concatenate([x for _,x,_ in V])
XX,SS_,NN,MM=[],[],[],[]
for l,x,m in V:
    x=x[:len(x)//HOP*HOP]
    for kind,snr_ in (('s',5.),('s',0.),('s',10.),('w',8.),('b',5.),('s',25.)):
        if kind=='s': n=ssn(len(x),x,int(r.integers(1e6)))
        elif kind=='w': n=ss.lfilter([1],[1,-r.uniform(0,.97)],r.standard_normal(len(x)))
        else:
            n=np.zeros(len(x))
            for v in range(8):
                i=r.integers(0,len(allx)-2*len(x)) if len(allx)>2*len(x) else 0
                n+=np.resize(ss.resample(allx[i:i+len(x)],int(len(x)*r.uniform(.8,1.2))),len(x))
        n=n*rms(x)/rms(n)*10**(-snr_/20)
        X=tracked(powers(frames(x+n)));S=powers(frames(x));Nn=powers(frames(n))
        sm=slice(300,None,2)
        XX.append(X[sm]);SS_.append(S[sm]/S.mean(0));NN.append(Nn[sm]/S.mean(0))
        MM.append(np.tile((C<m).astype(np.float32),(len(X[sm]),1)))
np.savez('build/n2data.npz',X=np.concatenate(XX),S=np.concatenate(SS_),N=np.concatenate(NN),M=np.concatenate(MM))
print(sum(map(len,XX)))
