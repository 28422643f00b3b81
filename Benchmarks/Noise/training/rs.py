from nr2 import *
import nr2
seed=int(sys.argv[1]);n=int(sys.argv[2])
c=Case(ssn(len(speech)),5.);m=pauses(speech,.06);Fn=frames(c.n);PNn=powers(Fn);yn0=render(Fn,np.zeros(PNn.shape));mm=np.ones(len(yn0),bool);mm[:88200]=False
k0=kurt(yn0,mm)[0]
def ev(r1,r2):
    a=render(c.F1,-r1);b=render(c.F2,-r2);s=(a+b)/2
    f,A=ss.welch(s[44100:],fs,nperseg=1024);f,Bq=ss.welch(c.sp[44100:],fs,nperseg=1024)
    h=[10*np.log10(A[(f>=lo)&(f<hi)].sum()/Bq[(f>=lo)&(f<hi)].sum()) for lo,hi in((60,700),(1000,3000),(3000,9000))]
    return [snr(s,(a-b)/2)-5,10*np.log10(np.sum(s[44100:]**2)/np.sum(c.sp[44100:]**2))]+h
rng=np.random.default_rng(seed)
for i in range(n):
    lf=rng.choice([16,20]);kw=dict(depth=taper(lf,rng.choice([5,8,12]),600,1500),xiopt=rng.choice([3,5,7,10]),tS=rng.choice([.005,.01,.02]),tG=rng.choice([0,.002,.005,.01]),tN=rng.choice([.15,.3,.6,1.]),tDD=rng.choice([.02,.05,.1,.2,.4]),over=rng.choice([0,2,4]),gexp=rng.choice([.7,1.,1.5,2.,3.]),nbr=rng.choice([0,.1,.2]),open=rng.choice([0,.002,.004]),close=rng.choice([.005,.01,.02,.04]),kmul=rng.choice([.5,1.]),tNd=rng.choice([0,.072]))
    e=ev(nr2.relief(c.P1,**kw),nr2.relief(c.P2,**kw))
    yn=render(Fn,-nr2.relief(PNn,**kw));k=kurt(yn,mm)[0]/k0;na=10*np.log10(np.mean(yn[88200:]**2)/np.mean(yn0[88200:]**2))
    d=kw.pop('depth');print(np.round(e,2).tolist(),round(k,2),round(na,1),'lf',d[0],'hf',d[-1],{x:float(y) for x,y in kw.items()},flush=True)
