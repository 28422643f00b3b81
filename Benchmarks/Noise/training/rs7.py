exec(open('rs3b.py').read().split('rng=np')[0])
rng=np.random.default_rng(seed)
for i in range(n):
    dl=rng.choice([14,16,18])
    kw=dict(depth=taper(dl,rng.choice([0,1]),800,2500),xiopt=10.,tS=.005,tG=rng.choice([.003,.004,.006,.008]),tN=.1,tDD=rng.choice([.0005,.002,.005,.008,.012]),over=rng.choice([1,2,3,4]),gexp=rng.choice([1.,1.5,2.,3.]),nbr=.3,open=rng.choice([0,.0015]),close=rng.choice([.01,.02,.04]),kmul=.5,tNd=0,hold=rng.choice([.25,.33]))
    R=nr2.relief(c.P1,**kw)
    v=ev(R,nr2.relief(c.P2,**kw))
    if v[0]<4.6: continue
    yn=render(Fn,-nr2.relief(PNn,**kw));k=kurt(yn,mm)[0]/k0
    d=kw.pop('depth');print(np.round(v,2).tolist(),round(k,2),dl,d[-1],{x:float(y) for x,y in kw.items()},flush=True)
