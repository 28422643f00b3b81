from sim import *
BW=np.minimum(edges[1:],fs/2)-edges[:-1]
TW=np.where(np.arange(20)<SPLIT,512,256)/fs
# effective window duration of hann: (sum w2)^2/sum w4 = N*(3/8)^2/(35/128) = .514N
def dof(scale=1.0): return np.maximum(1,scale*BW*TW*.514)
@nb.njit(cache=True)
def nr(P,depth,K,xi1,aN,aP,aG,add,over,open_,close_,nbr,xmin,gexp,start):
    T,n=P.shape;rel=np.zeros((T,n),np.float32)
    Nz=np.zeros(n);Pb=np.full(n,.5);Ps=np.zeros(n);pg=np.ones(n);prev=np.ones(n);r=np.zeros(n);v=np.zeros(n)
    raw=np.zeros(n)
    for t in range(T):
        for b in range(n):
            y=P[t,b]+1e-16
            if t<start:
                Nz[b]+=(y-Nz[b])/(t+1);Ps[b]=Nz[b]
            Ps[b]+=aG*(y-Ps[b])
            gam=Ps[b]/Nz[b]
            e=K[b]*(gam*xi1[b]/(1+xi1[b])-np.log(1+xi1[b]))
            p=1/(1+np.exp(-min(60.,max(-60.,e))))
            Pb[b]=aP*Pb[b]+(1-aP)*p
            if Pb[b]>.99: p=min(p,.99)
            Nz[b]+=(1-aN)*(1-p)*(y-Nz[b])
            if Nz[b]<1e-16: Nz[b]=1e-16
            g2=min(Ps[b]/(Nz[b]*over),1e6)
            xi=add*prev[b]+(1-add)*max(g2-1,0.)
            if xi<xmin: xi=xmin
            G=(xi/(1+xi))
            prev[b]=G*G*g2
            d=-20*gexp*np.log10(G)
            raw[b]=d
        for b in range(n):
            lo=raw[b-1] if b>0 else raw[b];hi=raw[b+1] if b<n-1 else raw[b]
            d=(1-2*nbr)*raw[b]+nbr*(lo+hi)
            if d>depth[b]: d=depth[b]
            c=d-r[b]
            r[b]+=(open_ if c<0 else close_)*c
            rel[t,b]=r[b]
    return rel
def ts(tau):return 1-np.exp(-hop/tau) if tau>0 else 1.
DEF=dict(depth=12.,kscale=.5,xiopt=15.,tN=.0717,tP=.152,tG=.004,tDD=.4,over=1.,open=.003,close=.03,nbr=.15,xmin=-25.,gexp=1.,start=10,kpow=.5)
def params(**kw):
    p=dict(DEF);p.update(kw)
    K=dof(p['kscale'])
    xi=np.maximum(10**(p['xiopt']/10)/K**p['kpow'],1.5)
    d=np.full(20,p['depth']) if np.isscalar(p['depth']) else p['depth']
    return (d,K,xi,np.exp(-hop/p['tN']),np.exp(-hop/p['tP']),ts(p['tG']),np.exp(-hop/p['tDD']),10**(p['over']/10) if p['over']!=1. else 1.,ts(p['open']),ts(p['close']),p['nbr'],10**(p['xmin']/10),p['gexp'],p['start'])
def relief(P,**kw): return nr(P.astype(np.float64),*params(**kw))
def curve(Ldb,fit,name):
    if fit=='lin': return np.tile(nalr_py(name),(len(Ldb),1))
    g65=nalrp(aud[name]);return compress(Ldb,g65,L65,2.,ts(.003),ts(.06))
class Case:
    def __init__(s,noise,snr,sp=speech):
        s.sp=sp;n=noise[:len(sp)];s.n=n*rms(sp)/rms(n)*10**(-snr/20)
        s.F1,s.F2=frames(sp+s.n),frames(sp-s.n)
        s.P1,s.P2=powers(s.F1),powers(s.F2)
    def out(s,name,fit,**kw):
        o=[]
        for F,P in((s.F1,s.P1),(s.F2,s.P2)):
            L=np.maximum(10*np.log10(P+1e-20)+SPL0,-60)
            g=curve(L,fit,name) if name else np.zeros(P.shape)
            if kw: g=g-relief(P,**kw)
            o.append(render(F,g))
        return (o[0]+o[1])/2,(o[0]-o[1])/2,o[0]
def snr(s,n,sk=44100):
    return 10*np.log10(np.sum(s[sk:]**2)/np.sum(n[sk:]**2))
# speech-weighted (SII third-octave importance)
II=np.array([.0083,.0095,.0150,.0289,.0440,.0578,.0653,.0711,.0818,.0844,.0882,.0898,.0868,.0844,.0771,.0527,.0364,.0185])
FC=np.array([160,200,250,315,400,500,630,800,1000,1250,1600,2000,2500,3150,4000,5000,6300,8000.])
def wsnr(s,n):
    f,S=ss.welch(s[44100:],fs,nperseg=4096);f,Nn=ss.welch(n[44100:],fs,nperseg=4096);t=0
    for i,c in zip(II,FC):
        m=(f>=c*2**(-1/6))&(f<c*2**(1/6));t+=i*10*np.log10(S[m].sum()/Nn[m].sum())
    return t/II.sum()
def pauses(sp,lead=.15):
    act=np.convolve(sp**2,np.ones(882)/882,'same');a=act>np.max(act)*1e-4
    k=int(lead*fs);c=np.cumsum(np.concatenate([np.zeros(k),a,np.zeros(k)]));w=c[2*k:]-c[:-2*k]
    m=np.zeros(len(sp),bool);m[:len(w)]=w==0;m[:44100]=False;return m
def kurt(x,m,n=512,h=128):
    k=len(x)//h-n//h;i=np.arange(k)*h
    ok=np.array([m[j:j+n].all() for j in i]);i=i[ok]
    F=np.lib.stride_tricks.sliding_window_view(x,n)[i]*np.hanning(n)
    p=np.abs(np.fft.rfft(F,axis=1))[:,2:210]**2
    p=p/p.mean(0);return (p**4).mean()/(p**2).mean()**2,len(i)
