from nr import *
c=Case(ssn(len(speech)),5.)
Pn=powers(frames(c.n));Psp=powers(frames(c.sp))
@nb.njit
def nz(P,K,xi1,aN,aP,aG):
    T,n=P.shape;O=np.zeros((T,n));Nz=P[9].copy()*1.;Pb=np.full(n,.5);Ps=Nz.copy();Q=np.zeros((T,n))
    for t in range(T):
        for b in range(n):
            y=P[t,b];Ps[b]+=aG*(y-Ps[b]);gam=Ps[b]/Nz[b]
            e=K[b]*(gam*xi1[b]/(1+xi1[b])-np.log(1+xi1[b]))
            p=1/(1+np.exp(-min(60.,max(-60.,e))));Pb[b]=aP*Pb[b]+(1-aP)*p;Q[t,b]=p
            if Pb[b]>.99:p=min(p,.99)
            Nz[b]+=(1-aN)*(1-p)*(y-Nz[b]);O[t,b]=Nz[b]
    return O,Q
db=lambda x:10*np.log10(x+1e-20)
for kw in [dict(),dict(xiopt=12.),dict(kscale=1.),dict(kpow=1.),dict(kpow=1.,kscale=1.),dict(tG=.008),dict(kpow=1.,kscale=1.,tG=.016),dict(kpow=1.,kscale=1.,tG=.016,tN=.15)]:
    d,K,xi,aN,aP,aG=params(**kw)[:6]
    O,_=nz(Pn.astype(float),K,xi,aN,aP,aG);O2,Q=nz(c.P1.astype(float),K,xi,aN,aP,aG)
    t=Pn.mean(0);bb=[0,2,5,8,12,16,19]
    print(kw,'noise only bias',(db(O[1000:].mean(0))-db(t))[bb].round(1),'std',np.std(db(O[1000:]),0)[bb].round(1),'speech+noise bias',(db(np.median(O2[1000:],0))-db(t))[bb].round(1),'p90',(db(np.percentile(O2[1000:],90,0))-db(t))[bb].round(1))
print('band snr',(db(Psp.mean(0))-db(t)).round(1)); print(dof(.5).round(1))
print('pk',(db(np.percentile(Psp,90,0))-db(t)).round(1))
