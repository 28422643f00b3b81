import sys; sys.path.insert(0,'sounds')
import numpy as np, numba as nb, scipy.signal as ss, soundfile as sf, glob, csv
import io, contextlib
src=open('sounds').read().split('\n')
ns={}
# only the basis parts of the earlier prototype
cut=[i for i,l in enumerate(src) if l.startswith('def gains')][0]
exec('\n'.join(src[:cut]),ns)
C=ns['C'];edges=ns['edges'];B=ns['B'];PH=ns['PH'];aud=ns['aud'];AF=ns['AF'];lt=ns['lt'];nalrp=ns['nalrp']
fs=44100.;N=512;HOP=64;nbn=20;hop=HOP/fs
def W(n):
    bw=fs/n;k=np.arange(n//2+1);R=np.zeros((nbn,n//2+1))
    for b in range(nbn):
        lo,hi=edges[b],edges[b+1]
        R[b]=np.maximum(0,np.minimum((k+.5)*bw,hi)-np.maximum((k-.5)*bw,lo))/bw
    R[:,-1]=0
    return R
WL,WS=W(512),W(256);SPLIT=9
hL=.5-.5*np.cos(2*np.pi*np.arange(512)/512);hS=.5-.5*np.cos(2*np.pi*np.arange(256)/256)
SPL0=120.+3.01 # dB SPL of mean square 1
def frames(x):
    T=len(x)//HOP
    p=np.concatenate([np.zeros(512-HOP),x[:T*HOP]])
    return np.lib.stride_tricks.sliding_window_view(p,512)[::HOP][:T]
def powers(F):
    out=np.zeros((len(F),nbn),np.float32)
    for i in range(0,len(F),2000):
        f=F[i:i+2000]
        PL=np.abs(np.fft.rfft(f*hL,axis=1))**2*2/(512*np.sum(hL**2))
        PS=np.abs(np.fft.rfft(f[:,256:]*hS,axis=1))**2*2/(256*np.sum(hS**2))
        out[i:i+2000,:SPLIT]=PL@WL[:SPLIT].T
        out[i:i+2000,SPLIT:]=PS@WS[SPLIT:].T
    return out
th=2*np.pi/512
nn=np.arange(-HOP,0)
fade=1+np.sin(th*nn)/np.sin(th*HOP)
def render(F,g): # g T×20 dB
    T=len(F);y=np.zeros(T*HOP)
    a=g*np.log(10)/20
    Hp=None
    for i in range(0,T,1500):
        f=F[i:i+1500];H=np.exp(a[i:i+1500]@B+1j*(a[i:i+1500]@PH))
        Hprev=np.concatenate([H[:1] if Hp is None else Hp,H[:-1]]);Hp=H[-1:]
        X=np.fft.rfft(f,axis=1)
        new=np.fft.irfft(X*H,axis=1)[:,-HOP:];old=np.fft.irfft(X*Hprev,axis=1)[:,-HOP:]
        y[i*HOP:i*HOP+len(f)*HOP]=(fade*new+(1-fade)*old).ravel()
    return y
@nb.njit(cache=True)
def spread(L):
    out=L.copy()
    for b in range(1,len(L)):
        if out[b-1]-8>out[b]: out[b]=out[b-1]-8
    for b in range(len(L)-2,-1,-1):
        if out[b+1]-8>out[b]: out[b]=out[b+1]-8
    return out
@nb.njit(cache=True)
def compress(Ldb,g65,L65,CR,att,rel):
    T,n=Ldb.shape;g=np.zeros((T,n));s=np.full(n,90.)
    for t in range(T):
        for b in range(n):
            d=Ldb[t,b]-s[b];s[b]+=(att if d>0 else rel)*d
        q=spread(s)
        for b in range(n):
            L=max(q[b],L65[b]-25);v=g65[b]+(1/CR-1)*(L-L65[b])
            ek=L65[b]-37
            if q[b]<ek: v-=.5*(ek-q[b])
            g[t,b]=max(v,0)
    return g
L65=np.array([ns['ltass_band'](edges[b],edges[b+1],65) for b in range(nbn)])
KF=np.array([250,500,750,1000,1500,2000,3000,4000,6000.])
def nalr_py(name):
    h=aud[name];H=lambda f:np.interp(np.log(f),np.log(AF),h)
    F6=np.array([250,500,1000,2000,4000,6000.]);l=H(F6);cl=l[1]+l[2]+l[3]
    x=.05*cl if cl<=180 else 9+.116*(cl-180)
    g=np.maximum(0,x+.31*l+np.array([-17,-8,1,-1,-2,-2]))
    return np.interp(C,F6,g)
def load(files,sr=44100):
    o=[]
    for f in files:
        x,r=sf.read(f)
        if x.ndim>1:x=x[:,0]
        if r!=sr: x=ss.resample_poly(x,sr,r) if r!=48000 else ss.resample_poly(x,147,160)
        o.append(x)
    return np.concatenate(o)
ALSA=sorted(f for f in glob.glob('/usr/share/sounds/alsa/*.wav') if 'Noise' not in f)
def rms(x):return np.sqrt(np.mean(x**2))
def level(x,L):return x/rms(x)*10**((L-SPL0)/20)
speech=level(load(ALSA),65)
speech=speech[:len(speech)//HOP*HOP]
def ssn(n,ref=speech,seed=1):
    f,P=ss.welch(ref,fs,nperseg=2048)
    r=np.random.default_rng(seed);X=np.fft.rfft(r.standard_normal(n));
    X*=np.sqrt(np.interp(np.fft.rfftfreq(n,1/fs),f,P))
    return np.fft.irfft(X,n)
def babble(n,seed=2,voices=8):
    r=np.random.default_rng(seed);y=np.zeros(n)
    fl=sorted(glob.glob('/usr/share/asterisk/sounds/en_US_f_Allison/**/*.gsm',recursive=True)+glob.glob('/usr/share/asterisk/sounds/en_US_f_Allison/**/*.wav',recursive=True))
    al=[load([f]) for f in ALSA]
    for v in range(voices):
        o=np.concatenate([al[i] for i in r.permutation(len(al))]*3)
        k=2**(r.uniform(-4,4)/12);o=ss.resample(o,int(len(o)/k))
        i=r.integers(0,len(o)-n) if len(o)>n else 0
        o=np.tile(o,2)[i:i+n]; y+=o/rms(o)
    return y
