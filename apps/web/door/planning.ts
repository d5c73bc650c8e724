export { legendOf, type Shade, shadeOf, shadesOf } from '../workspace/planning/colours.ts';
export { PeriodBar, ScaleSwitch } from '../workspace/planning/period-bar.tsx';
export { isSamePlace, saveSpan } from '../workspace/planning/save-span.ts';
export {
  daysOf,
  type Entry,
  isLong,
  type Span,
  type SpanFields,
  spanFields,
  spanValues,
  toEntries,
} from '../workspace/planning/span.ts';
export {
  daysText,
  dayText,
  hourText,
  shortDaysText,
  shortTime,
  spanText,
  timeRange,
  timeText,
  weekNumber,
} from '../workspace/planning/time-words.ts';
export { goTo, hiddenKeys, type Planning, useNow, usePlanning } from '../workspace/planning/use-planning.ts';
export { usePlanningKeys } from '../workspace/planning/use-planning-keys.ts';
export { dayMs, dayOf, floorDay, hourMs, minuteMs, oddDay, startOf } from '../workspace/planning/zone-clock.ts';
