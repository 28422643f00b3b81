import nr as base
from nr import *
@nb.njit(cache=True)
def nrx(P,depth,K,xi1,aN,aNd,aP,aS,aG,add,over,open_,close_,nbr,xmin,gexp,start,q,oracle,useor,hold):
    T,n=P.shape;rel=np.zeros((T,n),np.float32)
    Nz=np.zeros(n);Pb=np.full(n,.5);Ps=np.zeros(n);Pg=np.zeros(n);prev=np.zeros(n);r=np.zeros(n);raw=np.zeros(n);gr=np.zeros(n)
    lq=np.log(q/(1-q))
    for t in range(T):
        for b in range(n):
            y=P[t,b]+1e-16
            if t<start:
                Nz[b]+=(y-Nz[b])/(t+1);Ps[b]=Nz[b];Pg[b]=Nz[b]
            Ps[b]+=aS*(y-Ps[b]);Pg[b]+=aG*(y-Pg[b])
            gam=Ps[b]/Nz[b]
            e=lq+K[b]*(gam*xi1[b]/(1+xi1[b])-np.log(1+xi1[b]))
            p=1/(1+np.exp(-min(60.,max(-60.,e))))
            Pb[b]=aP*Pb[b]+(1-aP)*p
            if Pb[b]>.99: p=min(p,.99)
            d=y-Nz[b]
            Nz[b]+=(1-(aN if d>0 else aNd))*(1-p)*d
            if Nz[b]<1e-16: Nz[b]=1e-16
            nz=oracle[b] if useor else Nz[b]
            gr[b]=min(Pg[b]/(nz*over),1e6)
        for b in range(n):
            lo=gr[b-1] if b>0 else gr[b];hi=gr[b+1] if b<n-1 else gr[b]
            g2=(1-2*hold)*gr[b]+hold*(lo+hi)
            xi=add*prev[b]+(1-add)*max(g2-1,0.)
            if xi<xmin: xi=xmin
            G=(xi/(1+xi))
            prev[b]=G*G*g2
            raw[b]=-20*gexp*np.log10(G)
        for b in range(n):
            lo=raw[b-1] if b>0 else raw[b];hi=raw[b+1] if b<n-1 else raw[b]
            d=(1-2*nbr)*min(raw[b],depth[b])+nbr*(min(lo,depth[b])+min(hi,depth[b]))
            c=d-r[b]
            r[b]+=(open_ if c<0 else close_)*c
            rel[t,b]=r[b]
    return rel
D2=dict(depth=12.,tS=.01,tG=.002,xiopt=10.,kmul=1.,tN=.15,tNd=0.,tP=.152,tDD=.4,over=0.,open=.002,close=.02,nbr=.15,xmin=-25.,gexp=.7,start=10,q=.5,orac=0,hold=0.)
def relief(P,oracle=None,**kw):
    p=dict(D2);p.update(kw)
    Te=TW*.514+2*p['tS'];K=np.maximum(1,np.minimum(p['kmul']*BW*Te,16));xi=np.full(20,10**(p['xiopt']/10))
    if np.ndim(p['xiopt']): xi=10**(np.asarray(p['xiopt'])/10)
    return nrx(P.astype(np.float64),np.full(20,1.)*p['depth'],K,xi,np.exp(-hop/p['tN']),np.exp(-hop/(p['tNd'] or p['tN'])),np.exp(-hop/p['tP']),ts(p['tS']),ts(p['tG']),np.exp(-hop/p['tDD']),10**(p['over']/10),ts(p['open']),ts(p['close']),p['nbr'],10**(p['xmin']/10),p['gexp'],p['start'],p['q'],np.ones(20) if oracle is None else oracle.astype(float),bool(p['orac']),p['hold'])
base.relief=relief
def taper(lo,hi,f1=600.,f2=1200.):
    x=np.clip((np.log(C)-np.log(f1))/(np.log(f2)-np.log(f1)),0,1);return lo+(hi-lo)*x
