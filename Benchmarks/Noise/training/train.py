from feat import *
def train(lam,rho,D,H=8,steps=2500,seed=0,lr=6e-3):
    d=np.load('build/n2data.npz');X,S,Nn,M=d['X'],d['S'],d['N'],d['M']
    r=np.random.default_rng(seed);F=16
    W1=r.standard_normal((F,H)).astype(np.float32)*.4;b1=np.zeros(H,np.float32);W2=r.standard_normal(H).astype(np.float32)*.4;b2=np.zeros(1,np.float32)
    prm=[W1,b1,W2,b2];m=[np.zeros_like(p) for p in prm];v=[np.zeros_like(p) for p in prm];av=0
    k=D*np.log(10)/20
    for it in range(1,steps+1):
        i=r.integers(0,len(X),768);f=feats(X[i]).reshape(-1,F);s=S[i].ravel();n=Nn[i].ravel();w=M[i].ravel()
        z=f@W1+b1;h=np.maximum(z,0);o=h@W2+b2;a=1/(1+np.exp(-o));G=np.exp(-k*a)
        q=w/(s+n+1e-3)**rho
        L=((1-G)**2*s+lam*G*G*n)*q
        dG=(-2*(1-G)*s+2*lam*G*n)*q
        do=dG*(-k*G)*a*(1-a)/len(o)
        g=[0]*4
        g[3]=do.sum(keepdims=True);g[2]=h.T@do;dz=np.outer(do,W2)*(z>0);g[1]=dz.sum(0);g[0]=f.T@dz
        e=lr*.5*(1+np.cos(np.pi*it/steps))
        for j in range(4):
            m[j]=.9*m[j]+.1*g[j];v[j]=.99*v[j]+.01*g[j]**2
            prm[j]-=(e*(m[j]/(1-.9**it))/(np.sqrt(v[j]/(1-.99**it))+1e-8)).astype(np.float32)
        av=.99*av+.01*L.mean() if it>1 else L.mean()
        if it%500==0: print(it,round(float(av),5),flush=True)
    return [p.copy() for p in prm]
@nb.njit(cache=True)
def follow(A,op,cl,nbr):
    T,n=A.shape;o=np.zeros((T,n));r=np.zeros(n)
    for t in range(T):
        for b in range(n):
            x=(1-2*nbr)*A[t,b]+nbr*(A[t,max(b-1,0)]+A[t,min(b+1,n-1)])
            c=x-r[b];r[b]+=(op if c<0 else cl)*c;o[t,b]=r[b]
    return o
def share(P,prm,close=.02,nbr=0.,op=0.,gamma=1.):
    W1,b1,W2,b2=prm;f=feats(tracked(P))
    a=1/(1+np.exp(-(np.maximum(f@W1+b1,0)@W2+b2)))
    return follow(a.astype(np.float64),ts(op),ts(close),nbr)
if __name__=='__main__':
    import pickle
    for spec in sys.argv[1:]:
        lam,rho,D=map(float,spec.split(','))
        pickle.dump(train(lam,rho,D),open(f'build/n2w_{spec}.pkl','wb'))
