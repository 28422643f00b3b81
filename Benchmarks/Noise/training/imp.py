from sim import *
@nb.njit
def imp(L,marg,thr,rise,fall,rel,slope,depth):
    R=0.;r=0.;o=np.zeros(len(L))
    for t in range(len(L)):
        e=slope*(L[t]-max(R+marg,thr)); e=min(max(e,0.),depth)
        r=e if e>r else r+rel*(e-r)
        o[t]=r
        R+= rise*(L[t]-R) if L[t]>R else -min(fall,R-L[t])
    return o
def lev(x):
    d=np.diff(x,prepend=0.)**2;T=len(x)//64
    return 10*np.log10(d[:T*64].reshape(T,64).mean(1)/(2*np.sin(np.pi*2000/fs))**2+1e-20)+SPL0
ts=lambda tau:1-np.exp(-hop/tau)
r=np.random.default_rng(0)
def clat(Lp,n=6):
    x=np.zeros(int(fs*3))
    for k in range(n):
        i=int(fs*(.3+.4*k)); t=np.arange(int(.06*fs))/fs
        for f in r.uniform(1500,9000,6): x[i:i+len(t)]+=r.uniform(.3,1)*np.exp(-t/r.uniform(.004,.02))*np.sin(2*np.pi*f*t+r.uniform(0,6))
    return x/np.abs(x).max()*10**((Lp-SPL0+3)/20)
def door(Lp):
    x=np.zeros(int(fs*2));i=int(fs);t=np.arange(int(.3*fs))/fs
    n=ss.lfilter(*ss.butter(2,1500/fs*2),r.standard_normal(len(t)))*np.exp(-t/.05);x[i:i+len(t)]=n
    return x/np.abs(x).max()*10**((Lp-SPL0+3)/20)
asl=[load([f]) for f in ALSA]
al=load(__import__('glob').glob('/usr/share/asterisk/sounds/en_US_f_Allison/digits/*.gsm')[:20]+__import__('glob').glob('/usr/share/asterisk/sounds/en_US_f_Allison/digits/*.wav')[:20]) if False else None
for marg,thr,rise,fall,slope in [(6,80,.02,10,1.),(9,80,.02,10,1.),(6,80,.01,10,1.),(6,85,.02,10,1.),(9,80,.05,10,1.),(6,80,.02,20,1.)]:
    out=[]
    for Lv in(65,75,82):
        o=imp(lev(level(speech,Lv)),marg,thr,ts(rise),fall*hop,ts(.06),slope,12.)
        act=lev(level(speech,Lv))>Lv-20
        out.append(f"sp{Lv}: max {o.max():4.1f} p99 {np.percentile(o[act],99):4.1f} mean {o[act].mean():4.2f}")
    for nm,x in(('cl95',clat(95)),('door95',door(95)),('clat in sp',None)):
        if x is None:
            x=level(speech,65)[:int(fs*3)].copy()+clat(95)
        Lx=lev(x);o=imp(Lx,marg,thr,ts(rise),fall*hop,ts(.06),slope,12.)
        out.append(f"{nm} {o.max():4.1f}")
    print(marg,thr,rise,fall,' | '.join(out))
