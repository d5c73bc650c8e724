import { lazyComponent } from '../../state/lazy.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Avatar } from '../../ui/parts.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from '../define-field.ts';
import { pictureSource } from './picture-type.ts';
import './styles.css';

const { Component: ImageEdit } = lazyComponent<FieldEditProps>(
  async () => (await import('./edit.tsx')).ImageEdit,
  <span className="middle clip dim sunken round-l image-empty" />,
);

export const imageField = defineField({
  name: 'image',
  Read: ImageRead,
  Edit: ImageEdit,
  toText: () => '',
  width: 60,
});

export const avatarField = defineField({ ...imageField, name: 'avatar', Read: AvatarRead });

function ImageRead({ value, field, place }: FieldReadProps) {
  const source = pictureSource(value);
  if (!source)
    return place === 'form' ? (
      <span className="middle clip dim sunken round-l image-empty">
        <Icon name="image" size={22} />
      </span>
    ) : null;
  return (
    <img
      className={`block within crop image ${place === 'form' ? 'round-m image-form' : 'circle wide-24 high-24'}`}
      src={source}
      alt={field.label}
    />
  );
}

/** A small round picture, or the initials of the record. */
function AvatarRead({ value, record, place }: FieldReadProps) {
  const name = String(record.display_name ?? record.name ?? '');
  const source = pictureSource(value);
  return <Avatar name={name} size={place === 'form' ? 'l' : 'm'} {...(source ? { image: source } : {})} />;
}
