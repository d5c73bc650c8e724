export { formatBucket, formatDate, formatDateTime, formatRelative, formatTime, timeZone } from '../i18n/dates.ts';
export { today, toLocalInput } from '../i18n/local-time.ts';
export { isRightToLeft, locale, mark, readingKey, t, tn } from '../i18n/messages.ts';
export {
  editNumber,
  formatDecimal,
  formatInteger,
  formatMoney,
  formatRoundMoney,
  numberReadings,
  parseNumber,
} from '../i18n/numbers.ts';
export { parseDate, parseDateTime } from '../i18n/parse-dates.ts';
