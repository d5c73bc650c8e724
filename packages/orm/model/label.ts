/** `partner_id` becomes `Partner`, `line_ids` `Lines`, `amount_total` `Amount total`. */
export function labelFromName(name: string): string {
  const words = name
    .replace(/_ids$/, 's')
    .replace(/(?<=.)_id$/, '')
    .replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
