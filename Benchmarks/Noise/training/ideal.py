import sys; sys.argv=[sys.argv[0]]+sys.argv[1:]
which=sys.argv[1:]; sys.argv=sys.argv[:1]
from sweep5 import *
import nr2
S=powers(frames(c.sp));Nn_=Pn
def go(tag,r1,r2):
    L=np.maximum(10*np.log10(c.P1+1e-20)+SPL0,-60);g=curve(L,'lin','N3')
    y=render(c.F1,g-r1);a=render(c.F1,-r1);b=render(c.F2,-r2)
    s,n=(a+b)/2,(a-b)/2
    print(f"{tag} dSNR {snr(s,n)-5:.2f} sp {10*np.log10(np.sum(s**2)/np.sum(speech**2)):.2f} N3 {score(y,'N3','p')[0]-.24944:+.3f}",flush=True)
Sm=ss.lfilter([ts(.01)],[1,-(1-ts(.01))],S,axis=0)
W_=lambda X,g,d:np.minimum(-20*g*np.log10(X/(X+Nn_)+1e-9),d)
sl=lambda r,t:ss.lfilter([ts(t)],[1,-(1-ts(t))],r,axis=0)
K=dict(xiopt=10.,tS=.005,tG=0.,tN=.15,tDD=.02,over=0.,gexp=1.5,nbr=.2,kmul=.5)
D2x={
'a':lambda:go('ideal 12 g1',W_(S,1.,12.),W_(S,1.,12.)),
'b':lambda:go('ideal lf only 20',W_(S,1.,taper(20,0)),W_(S,1.,taper(20,0))),
'c':lambda:go('ideal hf only 8',W_(S,1.,taper(0,8)),W_(S,1.,taper(0,8))),
'd':lambda:go('flat -8 all',np.full(S.shape,8.),np.full(S.shape,8.)),
'e':lambda:go('est lf only 16',*[nr2.relief(P,depth=taper(16,0,600,1500),**K) for P in(c.P1,c.P2)]),
'f':lambda:go('est hf only 8',*[nr2.relief(P,depth=taper(0,8,600,1500),**K) for P in(c.P1,c.P2)]),
'g':lambda:go('ideal 12 slow 30ms',sl(W_(S,1.,12.),.03),sl(W_(S,1.,12.),.03)),
'h':lambda:go('est slow',*[sl(nr2.relief(P,depth=taper(16,8,600,1500),**K),.02) for P in(c.P1,c.P2)]),
}
for w in which: D2x[w]()
