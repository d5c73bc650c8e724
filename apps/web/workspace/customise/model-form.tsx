import type { CustomiseData } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { LabelledInput } from '../../ui/labelled.tsx';
import { Select, Tick } from './controls.tsx';
import { Translations } from './field-form.tsx';
import { modelIcons, modelName, type NewModel, type NewRight } from './new-model.ts';

interface ModelFormProps {
  readonly data: CustomiseData;
  readonly given: NewModel;
  /** The language of labels without a translation. */
  readonly source: CustomiseData['languages'][number] | undefined;
  readonly onChange: (next: Partial<NewModel>) => void;
}

/** All that a new model has besides its fields. */
export function ModelForm({ data, given, source, onChange }: ModelFormProps) {
  const others = data.languages.filter(({ code }) => code !== source?.code);
  const { label: max } = data.limits;
  return (
    <>
      <LabelledInput
        label={t('Name of one record')}
        placeholder={t('Machine')}
        hint={given.label.trim() === '' ? undefined : modelName(given, data)}
        required
        maxLength={max}
        value={given.label}
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <LabelledInput
        label={t('Name of several')}
        placeholder={t('Machines')}
        required
        maxLength={max}
        value={given.plural}
        onChange={(event) => onChange({ plural: event.target.value })}
      />
      {others.length > 0 && (
        <details className="customise-words">
          <summary className="target">{t('Translations')}</summary>
          <div className="stack gap-3">
            <Translations
              languages={others}
              words={given.words}
              shown={given.label}
              max={max}
              onChange={(words) => onChange({ words })}
            />
            {others.map(({ code, label }) => (
              <LabelledInput
                key={code}
                label={t('Name of several in {language}', { language: label })}
                placeholder={given.plural}
                maxLength={max}
                value={given.pluralWords[code] ?? ''}
                onChange={(event) => onChange({ pluralWords: { ...given.pluralWords, [code]: event.target.value } })}
              />
            ))}
          </div>
        </details>
      )}
      <Icons value={given.icon} onChange={(icon) => onChange({ icon })} />
      <Place {...{ data, given, onChange }} />
      <Rights {...{ data, given, onChange }} />
      <Behaviour {...{ given, onChange }} />
    </>
  );
}

function Icons({ value, onChange }: { readonly value: string; readonly onChange: (icon: string) => void }) {
  return (
    <fieldset className="stack gap-1 customise-part">
      <legend>{t('Icon')}</legend>
      <div className="row wrap gap-1 customise-icons">
        {modelIcons.map((icon) => (
          <label key={icon} className="middle round-s">
            <input
              type="radio"
              name="model-icon"
              className="sr-only"
              aria-label={icon.replaceAll('-', ' ')}
              checked={icon === value}
              onChange={() => onChange(icon)}
            />
            <NamedIcon name={icon} size={20} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type PartProps = Pick<ModelFormProps, 'data' | 'given' | 'onChange'>;

function Place({ data, given, onChange }: PartProps) {
  const wholes = data.models.map(({ name, label }) => [name, label] as const);
  const menus = (data.menus ?? []).map(({ key, label }) => [key, label] as const);
  return (
    <>
      <Select
        label={t('Lines of')}
        value={given.whole}
        options={[['', t('Nothing: a list of its own')], ...wholes]}
        onChange={(whole) => onChange({ whole })}
      />
      {given.whole === '' && (
        <Select
          label={t('Menu')}
          value={given.menu}
          options={[['', t('An app of its own')], ...menus]}
          onChange={(menu) => onChange({ menu })}
        />
      )}
    </>
  );
}

function Rights({ data, given, onChange }: PartProps) {
  const { rights } = given;
  const set = (key: number, next: Partial<NewRight>) =>
    onChange({ rights: rights.map((right) => (right.key === key ? { ...right, ...next } : right)) });
  const add = () => {
    const key = Math.max(0, ...rights.map((right) => right.key)) + 1;
    onChange({ rights: [...rights, { key, group: '', write: false, create: false, unlink: false }] });
  };
  const taken = new Set(rights.map(({ group }) => group));
  return (
    <fieldset className="stack gap-2 customise-part">
      <legend>{t('Who may do what')}</legend>
      <p className="small mut">{t('Everybody in these groups sees the records, and nobody else.')}</p>
      {rights.map((right, at) => (
        <div key={right.key} className="stack gap-1 customise-right">
          <div className="line gap-2">
            <div className="share">
              <Select
                label={t('Group {n}', { n: at + 1 })}
                value={right.group}
                required
                options={[
                  ['', ''],
                  ...data.groups
                    .filter(({ key }) => key === right.group || !taken.has(key))
                    .map(({ key, label }) => [key, label] as const),
                ]}
                onChange={(group) => set(right.key, { group })}
              />
            </div>
            {rights.length > 1 && (
              <IconButton
                icon="x"
                label={t('Remove group {n}', { n: at + 1 })}
                onClick={() => onChange({ rights: rights.filter(({ key }) => key !== right.key) })}
              />
            )}
          </div>
          <div className="row wrap gap-3 customise-ticks">
            <Tick label={t('Change')} isOn={right.write} onChange={(write) => set(right.key, { write })} />
            <Tick label={t('Create')} isOn={right.create} onChange={(create) => set(right.key, { create })} />
            <Tick label={t('Delete')} isOn={right.unlink} onChange={(unlink) => set(right.key, { unlink })} />
          </div>
        </div>
      ))}
      <div>
        <Button icon="plus" onClick={add}>
          {t('Add a group')}
        </Button>
      </div>
    </fieldset>
  );
}

function Behaviour({ given, onChange }: Pick<PartProps, 'given' | 'onChange'>) {
  return (
    <>
      <Tick
        label={t('Numbers')}
        hint={t('Each record gets the next one, such as EQ-0001.')}
        isOn={given.hasNumbers}
        onChange={(hasNumbers) => onChange({ hasNumbers })}
      />
      {given.hasNumbers && (
        <LabelledInput
          label={t('Before the number')}
          hint={t('The first is {number}.', { number: `${given.prefix}0001` })}
          maxLength={20}
          value={given.prefix}
          onChange={(event) => onChange({ prefix: event.target.value })}
        />
      )}
      <Tick
        label={t('Discussion')}
        hint={t('With messages, activities and changes.')}
        isOn={given.hasChatter}
        onChange={(hasChatter) => onChange({ hasChatter })}
      />
      {given.whole === '' && (
        <Tick
          label={t('One company each')}
          hint={t('Other companies do not see the record.')}
          isOn={given.hasCompany}
          onChange={(hasCompany) => onChange({ hasCompany })}
        />
      )}
      <Tick
        label={t('Archive')}
        hint={t('Records can be put aside without deleting them.')}
        isOn={given.hasArchive}
        onChange={(hasArchive) => onChange({ hasArchive })}
      />
    </>
  );
}
