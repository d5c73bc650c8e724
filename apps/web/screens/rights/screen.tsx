import type { RightsScreenData } from '@kontor/protocol';
import { useEffect, useId, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { type Named, RecordField } from '../../fields/record-field.tsx';
import { t } from '../../i18n/messages.ts';
import { navigate, usePlace } from '../../navigation/router.ts';
import { whileBusy } from '../../state/idle.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { Button } from '../../ui/button.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { EmptyState } from '../../ui/parts.tsx';
import { Select } from '../../workspace/customise/controls.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { GroupsCard } from './groups-card.tsx';
import { LimitCards } from './limit-cards.tsx';
import { PersonCard } from './person-card.tsx';
import './styles.css';

const { Component: PropertiesDialog } = lazyComponent(
  async () => (await import('../../workspace/customise/properties-dialog.tsx')).PropertiesDialog,
);

/** Who sees and does what with the records of a model, and what one person would see. */
export function RightsScreen({ data: first }: ScreenProps<RightsScreenData>) {
  const asked = askedIn(usePlace().query);
  const { data, reload } = useRights(first, asked);
  const [isChanging, setChanging] = useState(false);
  const { model, person } = data;
  const go = (next: Partial<Asked>) =>
    void navigate(hrefOf({ ...asked, ...next }), { isReplace: true, keepTrail: true });
  return (
    <Page
      title={t('Rights')}
      about={t('Who sees and does what, and why.')}
      className="rights"
      tools={
        model?.mayChange && (
          <Button kind="primary" icon="pencil" onClick={() => setChanging(true)}>
            {t('Change …')}
          </Button>
        )
      }
    >
      <Choosers {...{ data, asked, go }} />
      {model === null && (
        <EmptyState icon="lock" title={t('Choose a model')}>
          <p>{t('Its groups, record rules and hidden fields appear here, and what each person would see.')}</p>
        </EmptyState>
      )}
      {model && person && <PersonCard person={person} onForget={() => go({ id: '' })} />}
      {model && <GroupsCard model={model} />}
      {model && <LimitCards {...{ model, person }} />}
      {isChanging && model && (
        <PropertiesDialog
          name={model.name}
          onClose={() => setChanging(false)}
          onDone={() => {
            setChanging(false);
            reload();
          }}
        />
      )}
    </Page>
  );
}

interface Asked {
  readonly model: string;
  readonly user: string;
  readonly id: string;
}

function askedIn(query: string): Asked {
  const given = new URLSearchParams(query);
  const of = (name: string) => given.get(name) ?? '';
  return { model: of('model'), user: of('user'), id: of('id') };
}

function hrefOf(asked: Asked): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ''));
  return `/web/settings/rights?${query}`;
}

/** The data of the page, and of what was chosen since. An answer that comes late is dropped. */
function useRights(first: RightsScreenData, asked: Asked) {
  const [data, setData] = useState(first);
  const [turn, setTurn] = useState(0);
  const href = hrefOf(asked);
  const [shown, setShown] = useState(`${href} 0`);
  const wanted = `${href} ${turn}`;
  useEffect(() => {
    if (wanted === shown) return;
    let isLate = false;
    whileBusy(request<{ result: RightsScreenData }>(href)).then(({ body }) => {
      if (isLate) return;
      setData(body.result);
      setShown(wanted);
    }, showError);
    return () => {
      isLate = true;
    };
  }, [href, wanted, shown]);
  return { data, reload: () => setTurn(turn + 1) };
}

interface ChoosersProps {
  readonly data: RightsScreenData;
  readonly asked: Asked;
  readonly go: (next: Partial<Asked>) => void;
}

function Choosers({ data: { models, person }, asked, go }: ChoosersProps) {
  const options = models.map(({ name, label }) => [name, `${label} (${name})`] as const);
  return (
    <div className="stack gap-4 boxed rights-choosers">
      <Select
        label={t('Model')}
        value={asked.model}
        options={[['', ''], ...options]}
        onChange={(model) => go({ model, id: '' })}
      />
      <PersonChooser
        person={person && { id: person.id, name: person.name }}
        onChange={(next) => go({ user: next && next.id > 0 ? String(next.id) : '' })}
      />
    </div>
  );
}

interface PersonChooserProps {
  readonly person: Named | null;
  readonly onChange: (person: Named | null) => void;
}

/** A typed name that is nobody's stays until it is changed. */
function PersonChooser({ person, onChange }: PersonChooserProps) {
  const [typed, setTyped] = useState<Named | null>(null);
  const id = useId();
  const label = t('What would this person see?');
  return (
    <Labelled label={label} hint={typed ? t('Choose a person from the list.') : undefined}>
      {(control) => (
        <RecordField
          {...{ label }}
          id={control.id || id}
          describedBy={control['aria-describedby']}
          relation="core.user"
          value={typed ?? person}
          onChange={(next) => {
            setTyped(next?.id === 0 ? next : null);
            if (next?.id !== 0) onChange(next);
          }}
        />
      )}
    </Labelled>
  );
}
