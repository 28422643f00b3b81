import Realtime

/// One ear's spectrum behind its gain window, and what the window's last step changed in it.
///
/// - Threads: `audio`.
struct FilteredSpectrum: ~Copyable {
  /// `X·H_current`.
  private(set) var product: HalfSpectrum
  /// `X·(H_current − H_former)`, ends closed.
  private(set) var change: HalfSpectrum

  init(length: Int) {
    product = HalfSpectrum(length: length)
    change = HalfSpectrum(length: length)
  }

  /// Filters a spectrum with a window and with the window's last step.
  mutating func apply(_ window: borrowing GainWindow, to spectrum: borrowing HalfSpectrum) {
    let half = spectrum.half
    precondition(product.half == half && change.half == half)
    precondition(window.current.count >= half + 4 && window.former.count >= half + 4)
    let (xRe, xIm) = unsafe (spectrum.re, spectrum.im)
    let (hRe, hIm) = unsafe (window.current.real.pointer, window.current.imaginary.pointer)
    let (oldRe, oldIm) = unsafe (window.former.real.pointer, window.former.imaginary.pointer)
    let (productRe, productIm) = unsafe (product.re, product.im)
    let (changeRe, changeIm) = unsafe (change.re, change.im)
    for k in stride(from: 0, to: half + 4, by: 4) {
      let (a, b) = unsafe (Lanes.forward(xRe, k), Lanes.forward(xIm, k))
      let (c, d) = unsafe (Lanes.forward(hRe, k), Lanes.forward(hIm, k))
      let (stepRe, stepIm) = unsafe (c - Lanes.forward(oldRe, k), d - Lanes.forward(oldIm, k))
      unsafe Lanes.store(a * c - b * d, productRe, k)
      unsafe Lanes.store(a * d + b * c, productIm, k)
      unsafe Lanes.store(a * stepRe - b * stepIm, changeRe, k)
      unsafe Lanes.store(a * stepIm + b * stepRe, changeIm, k)
    }
    change.closeEnds()
  }
}
