from nr2 import *
import nr2,nr,time
from pystoi import stoi
from clarity.utils.audiogram import Audiogram
from clarity.evaluator.haspi import haspi_v2
from clarity.evaluator.hasqi import hasqi_v2
def A(n):
    return Audiogram(levels=np.interp([250,500,1000,2000,4000,6000],AF,aud[n]),frequencies=np.array([250,500,1000,2000,4000,6000]))
R=lambda x:ss.resample_poly(x,80,147)
def score(y,name,which='pq',ref=speech):
    ref=R(ref[:len(y)]);y=R(y);l1=SPL0;o=[]   # rms 1 -> SPL0
    if 'p' in which: np.random.seed(0);o.append(haspi_v2(ref,24000,y,24000,A(name),l1)[0])
    if 'q' in which: np.random.seed(0);o.append(hasqi_v2(ref,24000,y,24000,A(name),1,l1)[0])
    return o
c=Case(ssn(len(speech)),5.);cb=Case(babble(len(speech)),5.);m=pauses(speech,.06);q=Case(np.zeros(len(speech))+1e-9,80.)
Pn=powers(frames(c.n)).mean(0)
c.base=c.out(None,'lin');c.y3=c.out('N3','lin')[2];c.sc=score(c.y3,'N3')
cb.base=cb.out(None,'lin');cb.y3=cb.out('N3','lin')[2];cb.sc=score(cb.y3,'N3','p')
print('base',c.sc,cb.sc,'pauses',m.mean(),flush=True)
Fn=frames(c.n);PNn=powers(Fn);yn0=render(Fn,np.zeros(PNn.shape));mm=np.ones(len(yn0),bool);mm[:88200]=False
def kr(n0,n,m):return kurt(n,m)[0]/kurt(n0,m)[0]
def rep(tag,sc='pq',**kw):
    s0,n0,y0=c.base
    orc=Pn if kw.get('orac') else None
    f=nr2.relief;nr.relief=lambda P,**k:f(P,oracle=orc,**k)
    s,n,y=c.out(None,'lin',**kw)
    r=f(q.P1,oracle=orc,**kw);sq=render(q.F1,-r)
    fr,a=ss.welch(q.sp,fs,nperseg=4096);fr,b=ss.welch(sq,fs,nperseg=4096)
    to=[10*np.log10(b[(fr>=z*.89)&(fr<z*1.12)].sum()/a[(fr>=z*.89)&(fr<z*1.12)].sum()) for z in [100,125,160,200,250,315,400,500,630,800,1000,1250,1600,2000,2500,3150,4000,5000,6300,8000,10000,12500]]
    d=lambda a,b:10*np.log10(np.sum(a[44100:]**2)/np.sum(b[44100:]**2))
    yn=render(Fn,-f(PNn,oracle=orc,**kw))
    sb,nn_,yb=cb.out('N3','lin',**kw) if 'b' in sc else (None,)*3
    o=score(c.out('N3','lin',**kw)[2],'N3',sc) if 'p' in sc or 'q' in sc else []
    ob=score(yb,'N3','p') if 'b' in sc else []
    print(f"{tag:44s} dSNR {snr(s,n)-snr(s0,n0):5.2f} w {wsnr(s,n)-wsnr(s0,n0):5.2f} sp {d(s,s0):5.2f} K {kr(n0,n,m):4.2f} nK {kr(yn0,yn,mm):4.2f} nA {d(yn,yn0):5.1f} stoi {stoi(speech[:len(y)],y,44100):.3f} clean {d(sq,q.sp[:len(sq)]):5.2f} {min(to):5.2f} {np.argmin(to)} | N3 "+' '.join(f'{v-w:+.3f}' for v,w in zip(o,c.sc))+' bab '+' '.join(f'{v-w:+.3f}' for v,w in zip(ob,cb.sc)),flush=True)
for spec in sys.argv[1:]: rep(spec,**eval(f'dict({spec})'))
