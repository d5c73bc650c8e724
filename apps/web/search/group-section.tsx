import { useState } from 'react';
import { t } from '../i18n/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { toggle } from './effective-search.ts';
import { type GroupChoice, granularities, granularityLabel, groupChoices } from './group-choices.ts';
import { type FilterPanelProps, PanelChoice } from './panel-choice.tsx';

const shownAtFirst = 8;

/** What the records can be grouped by. Dates open their spans. */
export function GroupSection({ workspace, search, onChange }: FilterPanelProps) {
  const [isAll, setAll] = useState(false);
  const [openDate, setOpenDate] = useState<string | null>(null);
  const groups = search.groupBy ?? [];
  const choices = groupChoices(workspace);
  const shown = isAll ? choices : choices.slice(0, shownAtFirst);
  // A board has one level of columns.
  const isSingle = workspace.viewType === 'kanban';
  const choose = (key: string) => {
    if (isSingle) return onChange({ groupBy: groups.includes(key) ? [] : [key] });
    onChange({ groupBy: toggle(groups, key) });
  };
  if (choices.length === 0) return null;
  return (
    <section aria-label={t('Group by')}>
      <h2>{t('Group by')}</h2>
      {shown.map((choice) =>
        choice.isDate ? (
          <DateChoice
            key={choice.key}
            choice={choice}
            groups={groups}
            isOpen={openDate === choice.key}
            onOpen={() => setOpenDate(openDate === choice.key ? null : choice.key)}
            onChoose={choose}
          />
        ) : (
          <PanelChoice
            key={choice.key}
            label={choice.label}
            isChosen={groups.includes(choice.key)}
            onToggle={() => choose(choice.key)}
          />
        ),
      )}
      {!isAll && choices.length > shownAtFirst && (
        <button type="button" className="menu-item" onClick={() => setAll(true)}>
          <Icon name="plus" size={14} />
          {t('More fields')}
        </button>
      )}
    </section>
  );
}

interface DateChoiceProps {
  readonly choice: GroupChoice;
  readonly groups: readonly string[];
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onChoose: (key: string) => void;
}

function DateChoice({ choice, groups, isOpen, onOpen, onChoose }: DateChoiceProps) {
  const isChosen = groups.some((group) => group.startsWith(`${choice.key}:`));
  return (
    <>
      <button type="button" className="menu-item" aria-expanded={isOpen} onClick={onOpen}>
        <Icon name="check" size={14} className={isChosen ? '' : 'is-hidden'} />
        {choice.label}
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} className="filters-end" />
      </button>
      {isOpen && (
        <div className="filters-spans" role="group" aria-label={choice.label}>
          {granularities.map((granularity) => (
            <PanelChoice
              key={granularity}
              label={granularityLabel(granularity)}
              isChosen={groups.includes(`${choice.key}:${granularity}`)}
              onToggle={() => onChoose(`${choice.key}:${granularity}`)}
            />
          ))}
        </div>
      )}
    </>
  );
}
