const masks: readonly (readonly [RegExp, string])[] = [
  [/\bsk_[0-9a-f]+/gi, 'sk_***'],
  [/\b[0-9a-f]{48,}\b/gi, '***'],
  [/(:\/\/[^\s:@/]*):[^\s@/]+@/g, '$1:***@'],
  [/\b(Bearer|Basic) +\S+/gi, '$1 ***'],
  [/\b(password|passwd|pwd|secret|token|api_?key)(["']?\s*[=:]\s*)\S+/gi, '$1$2***'],
];

/** Shorter texts are our own words; looking through them would be all that a log line costs. */
const shortestSecret = 10;

/** A second line of defence for texts of others: keys, tokens and passwords wherever they look like one. */
export function maskSecrets(text: string): string {
  if (text.length < shortestSecret) return text;
  let masked = text;
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement);
  return masked;
}
