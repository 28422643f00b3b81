exec(open('rs3b.py').read().split('rng=np')[0])
rng=np.random.default_rng(seed)
for i in range(n):
    kw=dict(depth=taper(20,rng.choice([0,2]),800,2500),xiopt=rng.choice([8,10]),tS=.005,tG=rng.choice([0,.002,.004,.006]),tN=.1,tDD=rng.choice([.0005,.002,.005,.02]),over=rng.choice([-1,0,1,2]),gexp=rng.choice([1.,1.5,2.]),nbr=rng.choice([.1,.2,.3]),open=0.,close=rng.choice([.01,.02,.04]),kmul=.5,tNd=0,hold=rng.choice([.15,.25,.33]))
    R=nr2.relief(c.P1,**kw);idl=np.minimum(-20*np.log10(S/(S+No)+1e-9),kw['depth'])
    cc=[np.mean([np.corrcoef(R[act][:,b],idl[act][:,b])[0,1] for b in r]) for r in (range(0,6),)]
    v=ev(R,nr2.relief(c.P2,**kw))
    yn=render(Fn,-nr2.relief(PNn,**kw));k=kurt(yn,mm)[0]/k0
    d=kw.pop('depth');print(np.round(v+cc,2).tolist(),round(k,2),d[-1],{x:float(y) for x,y in kw.items()},flush=True)
