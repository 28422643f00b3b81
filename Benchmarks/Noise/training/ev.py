import sys;args=sys.argv[1:];sys.argv=sys.argv[:1]
sys.path.insert(0,'.')
from train import *
import pickle
from clarity.utils.audiogram import Audiogram
from clarity.evaluator.haspi import haspi_v2
from clarity.evaluator.hasqi import hasqi_v2
import os
def A(n):
    return Audiogram(levels=np.interp([250,500,1000,2000,4000,6000],AF,aud[n]),frequencies=np.array([250,500,1000,2000,4000,6000]))
R=lambda x:ss.resample_poly(x,80,147)
def score(y,name,w,ref=speech):
    ref=R(ref[:len(y)]);y=R(y)
    np.random.seed(0)
    return haspi_v2(ref,24000,y,24000,A(name),SPL0)[0] if w=='p' else hasqi_v2(ref,24000,y,24000,A(name),1,SPL0)[0]
seed=1
c=Case(ssn(len(speech),seed=seed),5.);m=pauses(speech,.06)
q=powers(frames(speech))
s0,n0,y0=c.out(None,'lin')
gN={k:np.tile(nalr_py(k),(len(c.P1),1)) for k in('N2','N3','N4')}
BASE={('N3','p'):.24944,('N3','q'):.48769}
cache='build/n2base.pkl'
if os.path.exists(cache): BASE.update(pickle.load(open(cache,'rb')))
def base(k,w):
    if (k,w) not in BASE:
        BASE[k,w]=score(render(c.F1,gN[k]),k,w);pickle.dump(BASE,open(cache,'wb'))
    return BASE[k,w]
d=lambda a,b:10*np.log10(np.sum(a[44100:]**2)/np.sum(b[44100:]**2))
def rep(tag,D,f,want=(('N3','p'),),tail=''):
    r1,r2=D*f(c.P1),D*f(c.P2)
    a,b=render(c.F1,-r1),render(c.F2,-r2);s,n=(a+b)/2,(a-b)/2
    rn=D*f(c.P1*0+powers(Fn));yn=render(Fn,-rn)
    cl=D*f(q)
    o=f"{tag:38s} dSNR {snr(s,n)-snr(s0,n0):5.2f} w {wsnr(s,n)-wsnr(s0,n0):5.2f} sp {d(s,s0):5.2f} K {kurt(n,m)[0]/kurt(n0,m)[0]:4.2f} nK {kurt(yn,mm)[0]/kurt(yn0,mm)[0]:4.2f} nA {d(yn,yn0):5.1f} clean {10*np.log10((q*10**(-cl/10)).sum()/q.sum()):5.2f} {(10*np.log10((q*10**(-cl/10)).sum(0)/q.sum(0))).min():5.2f} |"
    for k,w in want:
        g=render(c.F1,gN[k]-r1)
        o+=f" {k}{w} {score(g,k,w)-base(k,w):+.3f}"
    print(o+tail,flush=True)
Fn=frames(c.n);yn0=render(Fn,np.zeros((len(Fn),20)));mm=np.ones(len(yn0),bool);mm[:88200]=False
def go(spec,D,want=(('N3','p'),),**kw):
    p=pickle.load(open(f'build/n2w_{spec}.pkl','rb'))
    rep(f'{spec} D{D} {kw}',D,lambda P:share(P,p,**kw),want)
if __name__=='__main__':
    for a in args: eval(a)
