import { Button, busyTimer, Popover, showError, t } from '@kontor/client';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { findWork } from './week-data.ts';
import { keyOf, type Work } from './week-rows.ts';

/** A button that adds a row: a task or a project. */
export function WorkPick({ onPick }: { readonly onPick: (work: Work) => void }) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={anchor} icon="plus" className="project-week-add" onClick={() => setOpen(true)}>
        {t('Add a row')}
      </Button>
      {isOpen && <Choices anchor={anchor} onPick={onPick} onClose={() => setOpen(false)} />}
    </>
  );
}

const pauseMs = 150;

interface ChoicesProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onPick: (work: Work) => void;
  readonly onClose: () => void;
}

/** Open tasks and projects, with a field to narrow them: arrows and Enter choose. */
// Over 60 lines: the field and its choices share the position.
function Choices({ anchor, onPick, onClose }: ChoicesProps) {
  const [text, setText] = useState('');
  const [works, setWorks] = useState<readonly Work[] | null>(null);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    let isOver = false;
    const take = (found: readonly Work[]) => {
      if (isOver) return;
      setWorks(found);
      setAt(0);
    };
    const cancel = busyTimer(() => void findWork(text.trim()).then(take, showError), text === '' ? 0 : pauseMs);
    return () => {
      isOver = true;
      cancel();
    };
  }, [text]);
  const pick = (work: Work | undefined) => {
    if (!work) return;
    onClose();
    onPick(work);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = works?.length ?? 0;
    if (step && count > 0) setAt((at + step + count) % count);
    else if (event.key === 'Enter') pick(works?.[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Popover anchor={anchor} align="start" onClose={onClose}>
      <input
        ref={input}
        type="search"
        role="combobox"
        className="input full below-2"
        aria-label={t('Task or project')}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={works?.[at] ? `${id}-${at}` : undefined}
        placeholder={t('Task or project')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={t('Task or project')}>
        {works?.map((work, index) => (
          <div
            key={keyOf(work)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="menu-item"
            onPointerDown={(event) => {
              event.preventDefault();
              pick(work);
            }}
          >
            <span className="cut grow">{work.task ?? work.project}</span>
            {work.task && <span className="small dim nowrap">{work.project}</span>}
          </div>
        ))}
        {works?.length === 0 && <p className="pad-2 dim">{t('Nothing found')}</p>}
      </div>
    </Popover>
  );
}
