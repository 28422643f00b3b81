from nr2 import *
import nr2,itertools
c=Case(ssn(len(speech)),5.);S=powers(frames(c.sp));Nn=powers(frames(c.n))
def ev(r1,r2):
    a=render(c.F1,-r1);b=render(c.F2,-r2);return snr((a+b)/2,(a-b)/2),10*np.log10(np.sum(((a+b)/2)[44100:]**2)/np.sum(c.sp[44100:]**2)),wsnr((a+b)/2,(a-b)/2)
# ideal
for tau in(.0,):
  for dep in(14,20,taper(20,6),taper(20,10)):
    for g in(.5,1.,2.):
        T=np.zeros_like(S);
        G=S/(S+Nn.mean(0));r=np.minimum(-20*g*np.log10(G+1e-9),dep);print('ideal',tau,dep,g,np.round(ev(r,r),2),flush=True)
    pass
rng=np.random.default_rng(0)
res=[]
for i in range(int(sys.argv[1])):
    kw=dict(depth=taper(rng.choice([12,16,20]),6),xiopt=rng.choice([3,5,7,10]),tS=rng.choice([.005,.01,.02]),tG=rng.choice([0,.002,.005,.01]),tN=rng.choice([.15,.3,.6,1.]),tDD=rng.choice([.02,.05,.1,.4]),over=rng.choice([-2,0,2,4]),gexp=rng.choice([.5,.7,1.]),nbr=rng.choice([0,.1,.2]),open=rng.choice([0,.002]),close=rng.choice([.005,.02]),kmul=rng.choice([.5,1.]),tNd=rng.choice([0,.072]))
    a=ev(nr2.relief(c.P1,**kw),nr2.relief(c.P2,**kw));res.append((a,kw))
res.sort(key=lambda t:-t[0][0])
for a,k in res[:14]+res[-3:]:
    k=dict(k);k['depth']=k['depth'][0];print(np.round(a,2),{x:float(y) for x,y in k.items()})
