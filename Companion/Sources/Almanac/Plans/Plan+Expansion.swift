import Base

extension Plan {
  /// Occurrences whose day lies within a range, in the order of their opening.
  ///
  /// The same plan, zones and events give the same occurrences with the same ids, however the range is cut; more of any of them adds
  /// occurrences and changes none that lie before the addition.
  ///
  /// - Parameters:
  ///   - dates: The person's days; no more than 4000 of them are looked at.
  ///   - zones: Zones in which the person was and is.
  ///   - events: For ``Rule/after(_:delay:openFor:)``.
  public func occurrences(
    on dates: ClosedRange<CalendarDate>, in zones: ZoneHistory, after events: [PlanEvent] = []
  ) -> [Occurrence] {
    switch rule {
    case .recurring(let recurrence):
      days(in: dates)
        .filter { recurrence.days.include($0.dayNumber - firstDate.dayNumber, on: $0.weekday) }
        .flatMap { recurring(recurrence.times, on: $0, in: zones) }
        .sorted { ($0.opens, $0.id) < ($1.opens, $1.id) }
    case .interval(let seconds, let from, let length):
      intervals(of: seconds, from: from, length, on: dates, in: zones)
    case .after(let name, let delay, let length):
      following(events.filter { $0.name == name }, by: delay, length, on: dates, in: zones)
    }
  }

  /// Days of the plan within a range.
  private func days(in dates: ClosedRange<CalendarDate>) -> [CalendarDate] {
    let first = max(dates.lowerBound.dayNumber, firstDate.dayNumber)
    let last = min(dates.upperBound.dayNumber, first + 3999)
    guard first <= last else { return [] }
    return (first...last).compactMap(CalendarDate.init(dayNumber:)).filter(contains)
  }

  private func name(_ date: CalendarDate, _ number: Int) -> String { "\(id)/\(date)/\(number)" }

  // MARK: - On the wall

  private func recurring(
    _ times: Recurrence.Times, on date: CalendarDate, in zones: ZoneHistory
  ) -> [Occurrence] {
    switch times {
    case .at(let times, let length):
      times.sorted().enumerated().map { index, time in
        let coming = zones.coming(of: LocalMoment(date, time))
        return occurrence(date, index + 1, coming, closes: coming.moment + length)
      }
    case .windows(let windows):
      windows.sorted { $0.opens < $1.opens }.enumerated().map { index, window in
        let coming = zones.coming(of: LocalMoment(date, window.opens))
        return occurrence(date, index + 1, coming, closes: closing(of: window, on: date, in: coming.zone))
      }
    case .drawn(let count, let window, let gap, let length):
      drawn(count, within: window, apart: gap, length, on: date, in: zones)
    }
  }

  /// By the zone in which it opened: a journey while it is open does not lengthen it.
  private func closing(of window: LocalWindow, on date: CalendarDate, in zone: Zone) -> Instant {
    let day = window.endsNextDay ? date.adding(days: 1) ?? date : date
    return zone.instant(of: LocalMoment(day, window.closes))
  }

  private func occurrence(
    _ date: CalendarDate, _ number: Int, _ coming: ZoneHistory.Coming, closes: Instant
  ) -> Occurrence {
    Occurrence(
      id: name(date, number), date: date, number: number, opens: coming.moment,
      closes: max(closes, coming.moment),
      zoneName: coming.zone.name, remark: closes <= coming.moment ? .vanished : coming.remark)
  }

  /// Draws openings of a day: the free time of the window is cut at `count` drawn points, and between them the gaps are put back, so
  /// that each draw that keeps the gaps is as likely as another.
  private func drawn(
    _ count: Int, within window: LocalWindow, apart gap: Int, _ length: Int, on date: CalendarDate,
    in zones: ZoneHistory
  ) -> [Occurrence] {
    let coming = zones.coming(of: LocalMoment(date, window.opens))
    let end = closing(of: window, on: date, in: coming.zone)
    // Each is open for its whole length within the window.
    let free = end - coming.moment - length - gap * (count - 1)
    guard count > 0, free >= 0 else {
      return (0..<max(0, count)).map { occurrence(date, $0 + 1, coming, closes: coming.moment) }
    }
    var numbers = SeededNumbers(seed: StableHash.of(id, "\(date)", seed: seed))
    let points = (0..<count).map { _ in Int.random(in: 0...free, using: &numbers) }.sorted()
    return points.enumerated().map { index, point in
      let moment = coming.moment + point + gap * index
      let opening = ZoneHistory.Coming(moment: moment, zone: coming.zone, remark: coming.remark)
      return occurrence(date, index + 1, opening, closes: moment + length)
    }
  }

  // MARK: - By elapsed time

  private func intervals(
    of seconds: Int, from time: LocalTime, _ length: Int, on dates: ClosedRange<CalendarDate>,
    in zones: ZoneHistory
  ) -> [Occurrence] {
    // More than one a minute is no plan for a person.
    guard seconds >= 60 else { return [] }
    let first = zones.coming(of: LocalMoment(firstDate, time)).moment
    // A day of the wall lies within two days of UTC each way, and a journey adds one.
    let begin = Instant(seconds: (dates.lowerBound.dayNumber - 3) * 86_400)
    let end = Instant(
      seconds: (min(dates.upperBound.dayNumber, dates.lowerBound.dayNumber + 3999) + 3) * 86_400)
    var number = max(0, (begin - first).flooredDivision(by: seconds))
    var moments: [Instant] = []
    while case let moment = first + number * seconds, moment < end {
      moments.append(moment)
      number += 1
    }
    return numbered(moments, length, on: dates, in: zones)
  }

  private func following(
    _ events: [PlanEvent], by delay: Int, _ length: Int, on dates: ClosedRange<CalendarDate>,
    in zones: ZoneHistory
  ) -> [Occurrence] {
    numbered(Set(events.map { $0.moment + delay }).sorted(), length, on: dates, in: zones)
  }

  /// Numbers moments within the person's days, all of which are given.
  private func numbered(
    _ moments: [Instant], _ length: Int, on dates: ClosedRange<CalendarDate>, in zones: ZoneHistory
  ) -> [Occurrence] {
    var counts: [CalendarDate: Int] = [:]
    return moments.compactMap { moment in
      let zone = zones.zone(at: moment)
      let date = zone.local(at: moment).date
      guard dates.contains(date), contains(date) else { return nil }
      counts[date, default: 0] += 1
      let coming = ZoneHistory.Coming(moment: moment, zone: zone, remark: nil)
      return occurrence(date, counts[date] ?? 1, coming, closes: moment + length)
    }
  }
}

/// A number from texts that is the same on every machine and in every version: FNV-1a, 64 bits (Fowler, Noll & Vo; draft-eastlake-fnv).
enum StableHash {
  static func of(_ texts: String..., seed: UInt64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for shift in stride(from: 0, to: 64, by: 8) { take(UInt8(truncatingIfNeeded: seed >> shift)) }
    for text in texts {
      for byte in text.utf8 { take(byte) }
      // Keeps "a", "bc" from "ab", "c".
      take(0xff)
    }
    return hash
  }
}
