import { Avatar } from '../../ui/parts.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { pictureSource } from '../image/picture-type.ts';

/** A small round picture, or the initials of the record. */
export function AvatarRead({ value, record, place }: FieldReadProps) {
  const name = String(record.display_name ?? record.name ?? '');
  const source = pictureSource(value);
  return <Avatar name={name} size={place === 'form' ? 'l' : 'm'} {...(source ? { image: source } : {})} />;
}
