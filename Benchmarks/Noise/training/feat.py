import sys;sys.path.insert(0,'.')
from nr import *
@nb.njit(cache=True)
def track(P,K,xi1,aN,aP,aS,sf,sm,sl,start):
    T,n=P.shape;X=np.zeros((T,3,n),np.float32)
    Nz=np.zeros(n);Pb=np.full(n,.5);Ps=np.zeros(n);A=np.zeros(n);B_=np.zeros(n);D=np.zeros(n)
    for t in range(T):
        for b in range(n):
            y=P[t,b]+1e-16
            if t<start:
                Nz[b]+=(y-Nz[b])/(t+1);Ps[b]=Nz[b];A[b]=Nz[b]
            Ps[b]+=aS*(y-Ps[b]);A[b]+=sf*(y-A[b])
            gam=Ps[b]/Nz[b]
            e=K[b]*(gam*xi1/(1+xi1)-np.log(1+xi1))
            p=1/(1+np.exp(-min(20.,max(-20.,e))))
            Pb[b]=aP*Pb[b]+(1-aP)*p
            if Pb[b]>.99: p=min(p,.99)
            Nz[b]+=(1-aN)*(1-p)*(y-Nz[b])
            if Nz[b]<1e-16: Nz[b]=1e-16
            g=np.log2(A[b]/Nz[b]);g=min(max(g,-2.),8.)/4
            B_[b]+=sm*(g-B_[b]);D[b]+=sl*(g-D[b])
            X[t,0,b]=g;X[t,1,b]=B_[b];X[t,2,b]=D[b]
    return X
K=np.maximum(1,np.minimum(.5*BW*(TW*.514+.01),16))
def tracked(P): return track(P.astype(np.float64),K,10.,np.exp(-hop/.1),np.exp(-hop/.152),ts(.005),ts(.003),ts(.02),ts(.1),10)
POS=np.linspace(-1,1,20,dtype=np.float32)
def feats(X):
    T=len(X);e=lambda a,k:a[:,np.clip(np.arange(20)+k,0,19)]
    f,m,s=X[:,0],X[:,1],X[:,2]
    p=np.maximum(f,0)
    G=lambda a:np.broadcast_to(a.mean(1,keepdims=True),f.shape)
    lo,hi=slice(0,10),slice(10,20)
    c=[f,e(f,-1),e(f,1),e(f,-2),e(f,2),m,e(m,-1),e(m,1),s,G(p[:,lo]),G(p[:,hi]),G(m[:,lo]),G(m[:,hi]),G(s),np.broadcast_to(POS,f.shape),np.broadcast_to(POS*POS,f.shape)]
    return np.stack(c,-1)
