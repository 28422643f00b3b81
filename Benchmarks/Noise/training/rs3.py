from nr2 import *
import nr2
seed=int(sys.argv[1]);n=int(sys.argv[2])
c=Case(ssn(len(speech)),5.);Fn=frames(c.n);PNn=powers(Fn);yn0=render(Fn,np.zeros(PNn.shape));mm=np.ones(len(yn0),bool);mm[:88200]=False
k0=kurt(yn0,mm)[0];S=powers(frames(c.sp));No=PNn.mean(0)
act=(S[:,:9].sum(1)>1e-3*S[:,:9].sum(1).max())
def ev(r1,r2):
    a=render(c.F1,-r1);b=render(c.F2,-r2);s=(a+b)/2
    return [snr(s,(a-b)/2)-5,10*np.log10(np.sum(s[44100:]**2)/np.sum(c.sp[44100:]**2))]
rng=np.random.default_rng(seed)
for i in range(n):
    kw=dict(depth=taper(rng.choice([14,18]),rng.choice([4,8]),600,1500),xiopt=rng.choice([5,10]),tS=rng.choice([.005,.01]),tG=rng.choice([0,.003,.006,.012]),tN=rng.choice([.15,.3]),tDD=rng.choice([1e-4,.002,.005,.01,.02,.1,.4]),over=rng.choice([0,2,4,6]),gexp=rng.choice([.5,1.,1.5]),nbr=rng.choice([0,.2,.3]),open=rng.choice([0,.002,.004]),close=rng.choice([.005,.01,.02,.04]),kmul=rng.choice([.5,1.]),tNd=rng.choice([0,.072]))
    R=nr2.relief(c.P1,**kw);idl=np.minimum(-20*np.log10(S/(S+No)+1e-9),kw['depth'])
    e=np.sqrt(np.mean((R-idl)[act]**2,0));e=[e[:5].mean(),e[5:17].mean()]
    # variance of the error about its mean: fluctuation that is not speech's
    cc=[np.mean([np.corrcoef(R[act][:,b],idl[act][:,b])[0,1] for b in r]) for r in (range(0,6),range(6,17))]
    v=ev(R,nr2.relief(c.P2,**kw))
    if v[0]<4.2: continue
    yn=render(Fn,-nr2.relief(PNn,**kw));k=kurt(yn,mm)[0]/k0
    d=kw.pop('depth');print(np.round(cc+e+v,2).tolist(),round(k,2),'lf',d[0],'hf',d[-1],{x:float(y) for x,y in kw.items()},flush=True)
