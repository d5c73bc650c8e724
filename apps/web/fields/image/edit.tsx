import { useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { Crop, shrink } from './crop.tsx';
import { pictureSource } from './picture-type.ts';

/** Shows the image; a click or a drop replaces it, cropped to a square unless `options.whole` keeps its shape. */
export function ImageEdit(props: FieldEditProps) {
  const { id, label, value, node, onChange, onCommit } = props;
  const [chosen, setChosen] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const source = pictureSource(value);
  const isWhole = node.options?.whole === true;
  const use = (picture: string) => {
    setChosen(null);
    onChange(picture);
    onCommit?.();
  };
  const take = (file: File | undefined) => {
    if (!file) return;
    if (file.type.startsWith('image/') && file.type !== 'image/svg+xml') {
      if (isWhole) shrink(file).then(use, showError);
      else setChosen(file);
    } else showError(new Error(t('Use a PNG, JPEG, GIF or WebP picture.')));
  };
  return (
    <span className="anchor inline-block reveals image-edit">
      <button
        id={id}
        type="button"
        className="middle clip dim sunken round-l image-choose"
        aria-label={source ? t('{label}: replace the picture', { label }) : t('{label}: upload a picture', { label })}
        onClick={() => input.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
      >
        {source ? (
          <img className={`round-m block full tall crop image ${isWhole ? 'image-whole' : ''}`} src={source} alt="" />
        ) : (
          <Icon name="image" size={22} />
        )}
      </button>
      {source && <RemoveButton label={label} onRemove={() => onChange(null)} />}
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
      {chosen && <Crop file={chosen} label={label} onClose={() => setChosen(null)} onDone={use} />}
    </span>
  );
}

function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <IconButton
      className="revealed image-remove"
      icon="x"
      size={12}
      label={t('Remove {name}', { name: label })}
      onClick={onRemove}
    />
  );
}
