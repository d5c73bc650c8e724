import type { CustomiseData, CustomiseUse } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { request } from '../../data/request.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { LabelledInput } from '../../ui/labelled.tsx';
import { Translations } from './field-form.tsx';
import type { Words } from './new-field.ts';

/** A new label and its translations. */
export interface NewLabel {
  readonly label: string;
  readonly words: Words;
}

interface RenameFormProps {
  readonly data: CustomiseData;
  readonly source: CustomiseData['languages'][number] | undefined;
  readonly given: NewLabel;
  readonly onChange: (next: NewLabel) => void;
}

export function RenameForm({ data, source, given, onChange }: RenameFormProps) {
  return (
    <>
      <LabelledInput
        label={t('Label')}
        hint={source?.label}
        required
        maxLength={data.limits.label}
        value={given.label}
        onChange={(event) => onChange({ ...given, label: event.target.value })}
      />
      <Translations
        languages={data.languages.filter(({ code }) => code !== source?.code)}
        words={given.words}
        shown={given.label}
        max={data.limits.label}
        onChange={(words) => onChange({ ...given, words })}
      />
    </>
  );
}

/** The label of a field with its translations, as they are now. */
export function labelNow({ fields, words }: CustomiseData, name: string): NewLabel {
  const label = fields[name]?.label ?? name;
  const said = Object.entries(words).flatMap(([lang, texts]) => (texts[label] ? [[lang, texts[label]] as const] : []));
  return { label, words: Object.fromEntries(said) };
}

/** The change that the server applies. */
export function renameChange(model: string, name: string, { label, words }: NewLabel) {
  const english = label.trim();
  const said = Object.entries(words).filter(([, text]) => text.trim() !== '');
  return {
    ...{ do: 'change_field', model, name, field: { label: english } },
    words: Object.fromEntries(said.map(([lang, text]) => [lang, { [english]: text.trim() }])),
  };
}

/** Everything that uses a field, before it is deleted. */
export function DeleteNotice({ data, name }: { readonly data: CustomiseData; readonly name: string }) {
  return (
    <div className="stack gap-3">
      <p>{t('The field leaves all screens, files and programs. Its data can be brought back for 30 days.')}</p>
      <Uses model={data.model} name={name} />
    </div>
  );
}

/** Everything that uses a field, or without a name an added model. */
export function Uses({ model, name }: { readonly model: string; readonly name: string }) {
  const [uses, setUses] = useState<readonly CustomiseUse[] | null>(null);
  useEffect(() => {
    const query = new URLSearchParams({ model, name });
    whileBusy(request<{ result: readonly CustomiseUse[] }>(`/web/customise/uses?${query}`)).then(
      ({ body }) => setUses(body.result),
      () => setUses([]),
    );
  }, [model, name]);
  return (
    <>
      {uses !== null && uses.length === 0 && <p className="mut">{t('Nothing else uses it.')}</p>}
      {uses !== null && uses.length > 0 && (
        <section className="stack gap-1">
          <h3>{t('Used by')}</h3>
          <ul className="stack gap-1">
            {uses.map(({ kind, name: used }) => (
              <li key={`${kind} ${used}`} className="line gap-2">
                <span className="small mut">{kind}</span>
                <span>{used}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
