from feat import *
d=dict(np.load('build/n2data.npz'));r=np.random.default_rng(9);X,S,N_,M=[d['X']],[d['S']],[d['N']],[d['M']]
for k in range(10):
    n=int(44100*14)//64*64
    x=ssn(n,speech,100+k) if k%5==0 else ss.lfilter([1],[1,-r.uniform(0,.98)],r.standard_normal(n)); x=level(x,60)
    P=powers(frames(x));t=tracked(P)[1000:];X.append(t);S.append(np.zeros_like(P[1000:]));N_.append(P[1000:]/P.mean(0));M.append(np.full(P[1000:].shape,2.,np.float32))
np.savez('build/n2datab.npz',X=np.concatenate(X),S=np.concatenate(S),N=np.concatenate(N_),M=np.concatenate(M))
