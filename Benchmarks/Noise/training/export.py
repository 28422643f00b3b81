import pickle,sys,numpy as np
W1,b1,W2,b2=pickle.load(open(sys.argv[1],'rb'))
rows=np.concatenate([np.concatenate([W1[:,j],[b1[j]]]) for j in range(W1.shape[1])])
def arr(v):
    o=[];l='   '
    for x in v:
        t=f' {x:.5g},'
        if 'e' in t: t=f' {x:.7f},'
        if len(l+t)>106: o.append(l);l='   '
        l+=t
    return '\n'.join(o+[l])
print(f'''// Made by Benchmarks/Noise/train.py: change that, not this.

/// What ``NoiseModel`` has learnt: the weights of its layers.
///
/// Trained on prompts in three languages and toy voices in five more, in noise; what and how stands in docs/noise.md.
///
/// - Threads: `control`.
enum NoiseWeights {{
  /// Rectified sums.
  static let hiddenCount = {W1.shape[1]}

  // swift-format-ignore
  /// Per sum one weight for each value of ``NoiseModel`` and a constant.
  static let input: [Float] = [
{arr(rows)}
  ]

  // swift-format-ignore
  /// One weight per sum and a constant.
  static let output: [Float] = [
{arr(np.concatenate([W2,b2]))}
  ]
}}''')
