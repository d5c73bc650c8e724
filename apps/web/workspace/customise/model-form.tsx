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
export function ModelForm(props: ModelFormProps) {
  const { data, given, onChange } = props;
  return (
    <>
      <Names {...props} technical={given.label.trim() === '' ? undefined : modelName(given, data)} />
      <Icons value={given.icon} onChange={(icon) => onChange({ icon })} />
      <Place {...{ data, given, onChange }} />
      <Rights {...{ data, given, onChange }} />
      <Behaviour {...{ given, onChange }} />
    </>
  );
}

/** What of an added model can change: its names, icon, menu and rights. */
export function ModelProperties(props: ModelFormProps) {
  const { data, given, onChange } = props;
  return (
    <>
      <Names {...props} technical={data.model} />
      <Icons value={given.icon} onChange={(icon) => onChange({ icon })} />
      {given.whole === '' && <MenuPlace {...{ data, given, onChange }} />}
      <Rights {...{ data, given, onChange }} />
    </>
  );
}

interface NamesProps extends ModelFormProps {
  readonly technical: string | undefined;
}

function Names({ data, given, source, technical, onChange }: NamesProps) {
  const others = data.languages.filter(({ code }) => code !== source?.code);
  const { label: max } = data.limits;
  return (
    <>
      <LabelledInput
        label={t('Name of one record')}
        placeholder={t('Machine')}
        hint={technical}
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
        <details className="">
          <summary className="target pointer">{t('Translations')}</summary>
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
    </>
  );
}

function Icons({ value, onChange }: { readonly value: string; readonly onChange: (icon: string) => void }) {
  return (
    <fieldset className="stack gap-1">
      <legend className="pad-b-1">{t('Icon')}</legend>
      <div className="row wrap gap-1 customise-icons">
        {modelIcons.map((icon) => (
          <label key={icon} className="middle round-s pointer square-36 lights">
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
  return (
    <>
      <Select
        label={t('Lines of')}
        value={given.whole}
        options={[['', t('Nothing: a list of its own')], ...wholes]}
        onChange={(whole) => onChange({ whole })}
      />
      {given.whole === '' && <MenuPlace {...{ data, given, onChange }} />}
    </>
  );
}

function MenuPlace({ data, given, onChange }: PartProps) {
  const menus = (data.menus ?? []).map(({ key, label }) => [key, label] as const);
  return (
    <Select
      label={t('Menu')}
      value={given.menu}
      options={[['', t('An app of its own')], ...menus]}
      onChange={(menu) => onChange({ menu })}
    />
  );
}

function Rights({ data, given, onChange }: PartProps) {
  const { rights } = given;
  const set = (key: number, next: Partial<NewRight>) =>
    onChange({ rights: rights.map((right) => (right.key === key ? { ...right, ...next } : right)) });
  const add = () => {
    const key = Math.max(0, ...rights.map((right) => right.key)) + 1;
    onChange({ rights: [...rights, { key, group: '', only: '', write: false, create: false, unlink: false }] });
  };
  const taken = new Set(rights.map(({ group }) => group));
  return (
    <fieldset className="stack gap-2">
      <legend className="pad-b-1">{t('Who may do what')}</legend>
      <p className="small mut">{t('Only members of these groups see the records.')}</p>
      {rights.map((right, at) => (
        <RightLine
          key={right.key}
          {...{ data, right, at }}
          groups={data.groups.filter(({ key }) => key === right.group || !taken.has(key))}
          hasRecords={given.whole === ''}
          onChange={(next) => set(right.key, next)}
          onRemove={
            rights.length > 1 ? () => onChange({ rights: rights.filter(({ key }) => key !== right.key) }) : null
          }
        />
      ))}
      <div>
        <Button icon="plus" onClick={add}>
          {t('Add a group')}
        </Button>
      </div>
    </fieldset>
  );
}

interface RightLineProps {
  readonly data: CustomiseData;
  readonly right: NewRight;
  readonly at: number;
  readonly groups: CustomiseData['groups'];
  /** Lines are seen with what they are part of. */
  readonly hasRecords: boolean;
  readonly onChange: (next: Partial<NewRight>) => void;
  readonly onRemove: (() => void) | null;
}

function RightLine({ data, right, at, groups, hasRecords, onChange, onRemove }: RightLineProps) {
  const n = at + 1;
  return (
    <div className="stack gap-1 lined customise-right">
      <div className="line gap-2">
        <div className="share">
          <Select
            label={t('Group {n}', { n })}
            value={right.group}
            required
            options={[['', ''], ...groups.map(({ key, label }) => [key, label] as const)]}
            onChange={(group) => onChange({ group })}
          />
        </div>
        {onRemove && <IconButton icon="x" label={t('Remove group {n}', { n })} onClick={onRemove} />}
      </div>
      {hasRecords && (
        <Select
          label={t('Records that group {n} sees', { n })}
          value={right.only}
          options={[
            ['', t('All')],
            ['create_uid', t('Those that the person created')],
            ...peopleFields(data).map(
              ([name, label]) => [name, t('Those with the person as {field}', { field: label })] as const,
            ),
          ]}
          onChange={(only) => onChange({ only })}
        />
      )}
      <div className="row wrap gap-3 pad-t-1">
        <Tick label={t('Change')} isOn={right.write} onChange={(write) => onChange({ write })} />
        <Tick label={t('Create')} isOn={right.create} onChange={(create) => onChange({ create })} />
        <Tick label={t('Delete')} isOn={right.unlink} onChange={(unlink) => onChange({ unlink })} />
      </div>
    </div>
  );
}

function peopleFields({ fields }: CustomiseData): readonly (readonly [string, string])[] {
  const links = Object.entries(fields).filter(([, { relation }]) => relation === 'core.user');
  return links.map(([name, { label }]) => [name, label] as const);
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
