exec(open('rs3.py').read().split('rng=np')[0])
rng=np.random.default_rng(seed)
for i in range(n):
    kw=dict(depth=taper(20,rng.choice([2,4]),800,2500),xiopt=rng.choice([8,10]),tS=rng.choice([.005,.01]),tG=rng.choice([0,.002,.004,.006]),tN=rng.choice([.1,.15]),tDD=rng.choice([.005,.01,.02,.03]),over=rng.choice([0,1,2]),gexp=rng.choice([1.,1.5,2.]),nbr=rng.choice([.2,.3]),open=0.,close=rng.choice([.01,.02,.04]),kmul=rng.choice([.5,1.]),tNd=rng.choice([0,.072]))
    R=nr2.relief(c.P1,**kw);idl=np.minimum(-20*np.log10(S/(S+No)+1e-9),kw['depth'])
    cc=[np.mean([np.corrcoef(R[act][:,b],idl[act][:,b])[0,1] for b in r]) for r in (range(0,6),)]
    v=ev(R,nr2.relief(c.P2,**kw))
    if v[0]<4.6: continue
    yn=render(Fn,-nr2.relief(PNn,**kw));k=kurt(yn,mm)[0]/k0
    d=kw.pop('depth');print(np.round(v+cc,2).tolist(),round(k,2),d[-1],{x:float(y) for x,y in kw.items()},flush=True)
