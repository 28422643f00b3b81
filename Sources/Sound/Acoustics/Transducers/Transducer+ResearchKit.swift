/// Earphones of ResearchKit 3.2.0 (2025-08-12), tables `retspl_*` of its tone audiometry.
///
/// Provisional: the source does not say in which coupler the levels were taken, and several values at 750,
/// 1500, 3000 and 6000 Hz are midpoints of their neighbours. Its table in dB FS for the AirPods Pro
/// contradicts these by up to 15 dB, is used by no code there, and is left out.
extension Transducer {
  /// AirPods (1st generation), from ResearchKit 3.2.0.
  public static let airPods1 = Transducer(
    "airpods-1", name: "Apple AirPods (1st generation)",
    coupler: "not stated", standard: "ResearchKit 3.2.0",
    status: .provisional,
    referenceThresholds: ReferenceTable(
      [
        125: 31, 250: 21, 500: 13, 750: 9, 1000: 7, 1500: 10, 2000: 12, 3000: 13.5, 4000: 16,
        6000: 16, 8000: 15.5,
      ]))

  /// AirPods (2nd generation), from ResearchKit 3.2.0.
  public static let airPods2 = Transducer(
    "airpods-2", name: "Apple AirPods (2nd generation)",
    coupler: "not stated", standard: "ResearchKit 3.2.0",
    status: .provisional,
    referenceThresholds: ReferenceTable(
      [
        125: 42.45, 250: 30.2, 500: 17.94, 750: 16.45, 1000: 14.96, 1500: 13.85, 2000: 12.73,
        3000: 13.27, 4000: 13.8, 6000: 14.81, 8000: 15.82,
      ]))

  /// AirPods (3rd generation), from ResearchKit 3.2.0.
  public static let airPods3 = Transducer(
    "airpods-3", name: "Apple AirPods (3rd generation)",
    coupler: "not stated", standard: "ResearchKit 3.2.0",
    status: .provisional,
    referenceThresholds: ReferenceTable(
      [
        125: 39.05, 250: 26.68, 500: 14.31, 750: 13.16, 1000: 12.01, 1500: 12.64, 2000: 13.27,
        3000: 14.48, 4000: 15.69, 6000: 14.77, 8000: 13.85,
      ]))

  /// AirPods Pro (1st generation), from ResearchKit 3.2.0.
  public static let airPodsPro1 = Transducer(
    "airpods-pro-1", name: "Apple AirPods Pro (1st generation)",
    coupler: "not stated", standard: "ResearchKit 3.2.0",
    status: .provisional,
    referenceThresholds: ReferenceTable(
      [
        125: 34.04, 250: 23.52, 500: 12.99, 750: 11.13, 1000: 9.27, 1500: 11.69, 2000: 14.11,
        3000: 13.42, 4000: 12.72, 6000: 14.62, 8000: 16.51,
      ]))

  /// AirPods Pro (2nd generation), from ResearchKit 3.2.0.
  public static let airPodsPro2 = Transducer(
    "airpods-pro-2", name: "Apple AirPods Pro (2nd generation)",
    coupler: "not stated", standard: "ResearchKit 3.2.0",
    status: .provisional,
    referenceThresholds: ReferenceTable(
      [
        125: 34.04, 250: 23.52, 500: 12.99, 750: 11.13, 1000: 9.27, 1500: 11.69, 2000: 14.11,
        3000: 13.42, 4000: 12.72, 6000: 14.62, 8000: 16.51,
      ]))

  /// AirPods Max, from ResearchKit 3.2.0.
  public static let airPodsMax = Transducer(
    "airpods-max", name: "Apple AirPods Max",
    coupler: "not stated", standard: "ResearchKit 3.2.0",
    status: .provisional,
    referenceThresholds: ReferenceTable(
      [
        125: 25.13, 250: 19.29, 500: 13.45, 750: 10.515, 1000: 7.58, 1500: 11.45, 2000: 15.32,
        3000: 12.06, 4000: 8.79, 6000: 3.74, 8000: 18.68,
      ]))

  /// EarPods, from ResearchKit 3.2.0.
  public static let earPods = Transducer(
    "earpods", name: "Apple EarPods",
    coupler: "not stated", standard: "ResearchKit 3.2.0",
    status: .provisional,
    referenceThresholds: ReferenceTable(
      [
        125: 38.78, 250: 28.99, 500: 21.66, 750: 17.97, 1000: 14.28, 1500: 13.02, 2000: 11.75,
        3000: 13.69, 4000: 15.62, 6000: 16.77, 8000: 17.92,
      ]))
}
