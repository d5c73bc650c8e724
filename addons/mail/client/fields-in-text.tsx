import {
  Button,
  bootstrap,
  defineField,
  type FieldEditProps,
  type FieldReadProps,
  fieldType,
  request,
  t,
} from '@kontor/client';
import { useRef, useState } from 'react';
import { PickPanel } from './pick-panel.tsx';

/** A text with fields of a model in braces, chosen from a list. `options='{"model": "model"}'` names the field with the model. */
export const fieldsInText = defineField({
  name: 'mail_fields',
  Read: TextRead,
  Edit: TextEdit,
  toText: ({ value }) => String(value ?? ''),
  width: 260,
  layout: 'wide',
});

interface InsertableField {
  readonly path: string;
  readonly label: string;
  readonly leadsTo: string | null;
}

function TextRead({ value }: FieldReadProps) {
  return (
    <span className="field-lines" dir="auto">
      {String(value ?? '')}
    </span>
  );
}

const mostShown = 40;

function TextEdit(props: FieldEditProps) {
  const { value, record, node, onChange } = props;
  const model = String(record[String(node.options?.model ?? 'model')] ?? '');
  const control = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const anchor = useRef<HTMLButtonElement>(null);
  /** Behind which path fields are offered; null: the list is closed. */
  const [behind, setBehind] = useState<string | null>(null);
  const text = typeof value === 'string' ? value : '';
  const insert = (path: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = control.current ?? {};
    const head = `${text.slice(0, selectionStart ?? text.length)}{${path}}`;
    onChange(head + text.slice(selectionEnd ?? text.length));
    requestAnimationFrame(() => {
      control.current?.focus();
      control.current?.setSelectionRange(head.length, head.length);
    });
  };
  return (
    <span className="stack gap-1 full">
      <TextControl {...props} control={control} text={text} />
      <span className="row">
        <Button ref={anchor} disabled={model === ''} onClick={() => setBehind('')}>
          {t('Insert a field')}
        </Button>
      </span>
      {behind !== null && (
        <PickPanel
          key={behind}
          anchor={anchor}
          label={t('Fields')}
          placeholder={behind === '' ? t('Name of a field') : t('Name of a field behind {path}', { path: behind })}
          optionsFor={async (typed) =>
            (await loadFields(model, behind))
              .filter(({ label, path }) => matches(`${label} ${path}`, typed))
              .slice(0, mostShown)
              .flatMap(({ label, path, leadsTo }) => [
                { key: path, label, hint: `{${path}}`, run: () => insert(path) },
                ...(leadsTo === null
                  ? []
                  : [
                      {
                        key: `${path}.`,
                        label: t('{label}: its fields', { label }),
                        icon: 'chevron-right',
                        run: () => reopen(path),
                      },
                    ]),
              ])
          }
          onClose={() => setBehind(null)}
        />
      )}
    </span>
  );

  /** The panel closes with a choice, and opens again with the fields of the relation. */
  function reopen(path: string): void {
    requestAnimationFrame(() => setBehind(path));
  }
}

interface ControlProps extends FieldEditProps {
  readonly control: React.RefObject<(HTMLTextAreaElement & HTMLInputElement) | null>;
  readonly text: string;
}

/** One line for a subject, several for a text. */
function TextControl({ control, text, field, id, label, isInvalid, isRequired, describedBy, onChange }: ControlProps) {
  const isLine = !fieldType(field.type).isLong;
  const shared = {
    ...{ id, ref: control, className: 'field-input', dir: 'auto', value: text, maxLength: field.size },
    ...{ 'aria-label': label, 'aria-invalid': isInvalid || undefined, 'aria-required': isRequired || undefined },
    'aria-describedby': describedBy,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value || null),
  };
  return isLine ? <input {...shared} type="text" autoComplete="off" /> : <textarea {...shared} rows={10} />;
}

function matches(name: string, typed: string): boolean {
  return name.toLowerCase().includes(typed.toLowerCase());
}

const loaded = new Map<string, Promise<readonly InsertableField[]>>();

/** Requested once per page and path; a failed request is repeated. */
function loadFields(model: string, behind: string): Promise<readonly InsertableField[]> {
  const query = new URLSearchParams({ model, behind });
  const key = String(query);
  const known = loaded.get(key);
  if (known) return known;
  const asked = request<{ fields: readonly InsertableField[] }>(`${bootstrap().wcApiBase}/mail/fields?${key}`).then(
    ({ body }) => body.fields,
  );
  asked.catch(() => loaded.delete(key));
  loaded.set(key, asked);
  return asked;
}
