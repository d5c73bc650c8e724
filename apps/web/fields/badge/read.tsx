import { t } from '../../i18n/messages.ts';
import { Badge, type Look } from '../../ui/parts.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { selectionText } from '../selection/read.tsx';

export function BadgeRead(props: FieldReadProps) {
  const text = badgeText(props);
  return text === '' ? null : <Badge look={badgeLook(String(props.value), props.node.options)}>{text}</Badge>;
}

export function badgeText(props: FieldReadProps): string {
  const { field, value } = props;
  if (field.type === 'boolean') return value === true ? t('Yes') : '';
  return selectionText(props);
}

const usual: readonly (readonly [Look, RegExp])[] = [
  ['ok', /^(done|sale|sold|won|paid|active|installed|confirmed|approved|posted|ready|success)/],
  ['bad', /^(cancel|lost|fail|error|rejected|refused|blocked|overdue)/],
  ['info', /^(sent|open|progress|in_progress|running|assigned|qualified|new)/],
  ['warn', /^(wait|pending|hold|review|partial|late|inactive|to_)/],
];

/** `options: { looks: { draft: 'mute', sale: 'ok' } }` in the view, else what such a state usually means. */
export function badgeLook(value: string, options?: Readonly<Record<string, unknown>>): Look {
  const looks = options?.looks as Readonly<Record<string, Look>> | undefined;
  return looks?.[value] ?? usual.find(([, pattern]) => pattern.test(value))?.[0] ?? 'mute';
}
