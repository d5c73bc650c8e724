import { fieldType } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { Badge, type Look } from '../ui/parts.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { widgetOf } from './registry.tsx';
import { selectionText } from './selection.tsx';

export const badgeField = defineField({
  name: 'badge',
  Read: BadgeRead,
  cell: BadgeRead,
  Edit: BadgeEdit,
  toText: badgeText,
  width: 130,
  isWhole: true,
});

/** A bar of steps in the header of a form; elsewhere a badge with the current one. */
export const statusbarField = defineField({ ...badgeField, name: 'statusbar' });

function BadgeRead(props: FieldReadProps) {
  const text = badgeText(props);
  return text === '' ? null : <Badge look={badgeLook(String(props.value), props.node.options)}>{text}</Badge>;
}

function badgeText(props: FieldReadProps): string {
  const { field, value } = props;
  if (fieldType(field.type).isBoolean) return value === true ? t('Yes') : '';
  return selectionText(props);
}

const usualLooks: readonly (readonly [Look, RegExp])[] = [
  ['ok', /^(done|sale|sold|won|paid|active|installed|confirmed|approved|posted|ready|success)/],
  ['bad', /^(cancel|lost|fail|error|rejected|refused|blocked|overdue)/],
  ['info', /^(sent|open|progress|in_progress|running|assigned|qualified|new)/],
  ['warn', /^(wait|pending|hold|review|partial|late|inactive|to_)/],
];

/** `options: { looks: { draft: 'mute', sale: 'ok' } }` in the view, or the usual meaning of such a state. */
function badgeLook(value: string, options?: Readonly<Record<string, unknown>>): Look {
  const looks = options?.looks as Readonly<Record<string, Look>> | undefined;
  return looks?.[value] ?? usualLooks.find(([, pattern]) => pattern.test(value))?.[0] ?? 'mute';
}

/** Edited with the widget of the field's type. */
function BadgeEdit(props: FieldEditProps) {
  const { Edit } = widgetOf(props.field);
  return Edit && <Edit {...props} />;
}
