from nr import *
import time
from pystoi import stoi
c=Case(ssn(len(speech)),5.);cb=Case(babble(len(speech)),5.);m=pauses(speech);print('pause share',m.mean())
q=Case(np.zeros(len(speech))+1e-9,80.)
def rep(tag,**kw):
    s0,n0,y0=c.base; s,n,y=c.out(None,'lin',**kw)
    k0,cnt=kurt(n0,m);k1,_=kurt(n,m)
    sb,nn_,yb=cb.out(None,'lin',**kw)
    r=relief(q.P1,**kw);sq=render(q.F1,-r)
    f,a=ss.welch(q.sp,fs,nperseg=4096);f,b=ss.welch(sq,fs,nperseg=4096)
    to=[10*np.log10(b[(f>=z*.89)&(f<z*1.12)].sum()/a[(f>=z*.89)&(f<z*1.12)].sum()) for z in [100,125,160,200,250,315,400,500,630,800,1000,1250,1600,2000,2500,3150,4000,5000,6300,8000,10000,12500]]
    d=lambda a,b:10*np.log10(np.sum(a[44100:]**2)/np.sum(b[44100:]**2))
    print(f"{tag:34s} dSNR {snr(s,n)-snr(s0,n0):5.2f} w {wsnr(s,n)-wsnr(s0,n0):5.2f} sp {d(s,s0):5.2f} K {k1/k0:4.2f} ({k0:.1f}) stoi {stoi(speech[:len(y)],y,44100):.4f}/{c.st:.4f} bab dSNR {snr(sb,nn_)-cb.s:5.2f} stoi {stoi(speech[:len(y)],yb,44100):.4f}/{cb.st:.4f} clean {d(sq,q.sp[:len(sq)]):5.2f} 3rd {min(to):5.2f} {max(to):5.2f}",flush=True)
for z in(c,cb):
    z.base=z.out(None,'lin');z.st=stoi(speech[:len(z.base[2])],z.base[2],44100);z.s=snr(*z.base[:2])
if __name__=='__main__':
    for spec in sys.argv[1:]:
        rep(spec,**eval(f'dict({spec})')) if spec!='-' else rep('default',depth=12.)
