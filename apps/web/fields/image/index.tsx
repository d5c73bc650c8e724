import { useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { t } from '../../i18n/messages.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Avatar } from '../../ui/parts.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from '../define-field.ts';
import type { CropProps } from './crop.tsx';
import { pictureSource } from './picture-type.ts';
import './styles.css';

export const imageField = defineField({
  name: 'image',
  Read: ImageRead,
  Edit: ImageEdit,
  toText: () => '',
  width: 60,
});

export const avatarField = defineField({ ...imageField, name: 'avatar', Read: AvatarRead });

const { Component: Crop } = lazyComponent<CropProps>(async () => (await import('./crop.tsx')).Crop);

function ImageRead({ value, field, place }: FieldReadProps) {
  const source = pictureSource(value);
  if (!source)
    return place === 'form' ? (
      <span className="image-empty">
        <Icon name="image" size={22} />
      </span>
    ) : null;
  return <img className={`image image-${place}`} src={source} alt={field.label} />;
}

/** Shows the picture; a click or a drop brings another one, cut to shape before it is sent. */
function ImageEdit(props: FieldEditProps) {
  const { id, label, value, onChange, onCommit } = props;
  const [chosen, setChosen] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const source = pictureSource(value);
  const take = (file: File | undefined) => {
    if (!file) return;
    if (file.type.startsWith('image/') && file.type !== 'image/svg+xml') setChosen(file);
    else showError(new Error(t('Give a PNG, JPEG, GIF or WebP picture.')));
  };
  return (
    <span className="image-edit">
      <button
        id={id}
        type="button"
        className="image-choose"
        aria-label={source ? t('{label}: replace the picture', { label }) : t('{label}: upload a picture', { label })}
        onClick={() => input.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
      >
        {source ? <img className="image" src={source} alt="" /> : <Icon name="image" size={22} />}
      </button>
      {source && (
        <IconButton
          className="image-remove"
          icon="x"
          size={12}
          label={t('Remove {name}', { name: label })}
          onClick={() => onChange(null)}
        />
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        hidden
        onChange={(event) => {
          take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      {chosen && (
        <Crop
          file={chosen}
          label={label}
          onClose={() => setChosen(null)}
          onDone={(picture) => {
            setChosen(null);
            onChange(picture);
            onCommit?.();
          }}
        />
      )}
    </span>
  );
}

/** A small round picture, or the initials of the record. */
function AvatarRead({ value, record, place }: FieldReadProps) {
  const name = String(record.display_name ?? record.name ?? '');
  const source = pictureSource(value);
  return <Avatar name={name} size={place === 'form' ? 'l' : 'm'} {...(source ? { image: source } : {})} />;
}
