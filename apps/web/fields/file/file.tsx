import { useRef } from 'react';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { FieldEditProps, FieldReadProps } from '../define-field.ts';
import { fileText, readFile } from './file-content.ts';
import '../styles.css';

/** A call is limited to four megabytes, and base64 is a third larger than the file. */
const maxBytes = 2_900_000;

export function FileRead(props: FieldReadProps) {
  const { value, record, field } = props;
  if (typeof value !== 'string' || value === '') return null;
  const name = record[`${field.name}_name`] ?? record.file_name ?? record.filename ?? field.name;
  return (
    <a
      className="accent underlines field-link field-person"
      href={`data:application/octet-stream;base64,${value}`}
      download={String(name)}
      onClick={(event) => event.stopPropagation()}
    >
      <Icon name="download" />
      {fileText(props)}
    </a>
  );
}

export function FileEdit(props: FieldEditProps) {
  const { id, label, value, onChange, onCommit } = props;
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > maxBytes) {
      return void showToast({ kind: 'error', title: t('This file is too large. The limit is {n} MB.', { n: 2.9 }) });
    }
    onChange(await readFile(file), { [`${props.field.name}_name`]: file.name });
    onCommit?.();
  };
  return (
    <span className="inline-row wrap gap-2 pad-x-2">
      <FileRead {...props} />
      <Button id={id} icon="upload" aria-label={`${label}: ${t('Upload')}`} onClick={() => input.current?.click()}>
        {value ? t('Replace') : t('Upload')}
      </Button>
      {typeof value === 'string' && value !== '' && (
        <IconButton icon="trash-2" label={t('Remove {name}', { name: label })} onClick={() => onChange(null)} />
      )}
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </span>
  );
}
