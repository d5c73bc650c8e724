import type { CustomiseStatesData } from '@kontor/protocol';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { t, tn } from '../../../i18n/messages.ts';
import { Icon } from '../../../ui/icon.tsx';
import { type Arrow, box, layOut, type PlacedState } from './layout.ts';

/** What is selected: a state by its value, or a move by its name. */
export type Selected = { readonly kind: 'state' | 'move'; readonly name: string } | null;

interface PictureProps {
  readonly data: CustomiseStatesData;
  readonly selected: Selected;
  readonly onSelect: (selected: Selected) => void;
  readonly onPlace: (state: string, x: number, y: number) => void;
}

const step = 20;

/** States as boxes and moves as arrows between them. Boxes are dragged, or moved with the arrow keys. */
// Over 60 lines: the lines, their labels and the boxes of one picture.
export function StatesPicture({ data, selected, onSelect, onPlace }: PictureProps) {
  const { states, moves, own } = data;
  const [held, setHeld] = useState<{ readonly state: string; readonly x: number; readonly y: number } | null>(null);
  const places = useMemo(() => {
    const others = (own?.places ?? []).filter(({ state }) => state !== held?.state);
    return held ? [...others, held] : others;
  }, [own, held]);
  const picture = useMemo(() => layOut(states, moves, places), [states, moves, places]);
  const isPicked = (kind: 'state' | 'move', name: string) => selected?.kind === kind && selected.name === name;
  const initial = picture.states.filter(({ value }) => states.find((each) => each.value === value)?.isInitial);
  const move = moves[picture.arrows.length > 0 ? 0 : -1];
  return (
    <div className="share least-0 scroll states-canvas">
      <div className="anchor least-full states-paper" style={{ width: picture.width, height: picture.height }}>
        <div style={{ transform: `translateY(${picture.top}px)` }}>
          <svg className="pin cover spill pass" width={picture.width} height={picture.height} aria-hidden="true">
            <defs>
              <marker
                id="states-tip"
                viewBox="0 0 8 8"
                refX="6"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path d="M0 0L8 4L0 8z" fill="context-stroke" />
              </marker>
            </defs>
            {move !== undefined &&
              picture.arrows.map((arrow) => (
                <path
                  key={arrow.key}
                  className={
                    isPicked('move', moves[arrow.move]?.name ?? '') ? 'stroked accent' : 'stroked mut states-line'
                  }
                  d={arrow.path}
                  markerEnd="url(#states-tip)"
                />
              ))}
            {initial.map(({ value, x, y }) => (
              <g key={value} className="states-start">
                <circle cx={x - 30} cy={y + box.height / 2} r="6" />
                <path
                  className="stroked mut states-line"
                  d={`M${x - 24} ${y + box.height / 2}H${x - 3}`}
                  markerEnd="url(#states-tip)"
                />
              </g>
            ))}
          </svg>
          {picture.arrows.map((arrow) => (
            <MoveLabel
              key={arrow.key}
              {...{ arrow }}
              move={moves[arrow.move] as CustomiseStatesData['moves'][number]}
              isOn={isPicked('move', moves[arrow.move]?.name ?? '')}
              onSelect={onSelect}
            />
          ))}
          {picture.states.map((place) => (
            <StateBox
              key={place.value}
              {...{ place }}
              state={states.find((each) => each.value === place.value) as CustomiseStatesData['states'][number]}
              isOn={isPicked('state', place.value)}
              onSelect={onSelect}
              onHold={(x, y) => setHeld({ state: place.value, x, y })}
              onDrop={(x, y) => {
                setHeld(null);
                onPlace(place.value, x, y);
              }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface MoveLabelProps {
  readonly arrow: Arrow;
  readonly move: CustomiseStatesData['moves'][number];
  readonly isOn: boolean;
  readonly onSelect: (selected: Selected) => void;
}

function MoveLabel({ arrow, move, isOn, onSelect }: MoveLabelProps) {
  return (
    <button
      type="button"
      className="inline-line level gap-1 least-24 pad-x-2 nowrap pointer pin framed surface states-move"
      aria-pressed={isOn}
      style={{ left: arrow.x, top: arrow.y }}
      onClick={() => onSelect({ kind: 'move', name: move.name })}
    >
      {move.groups.length > 0 && <Icon name="lock" size={12} />}
      <bdi>{move.label}</bdi>
    </button>
  );
}

interface StateBoxProps {
  readonly place: PlacedState;
  readonly state: CustomiseStatesData['states'][number];
  readonly isOn: boolean;
  readonly onSelect: (selected: Selected) => void;
  readonly onHold: (x: number, y: number) => void;
  readonly onDrop: (x: number, y: number) => void;
}

function StateBox({ place, state, isOn, onSelect, onHold, onDrop }: StateBoxProps) {
  const start = useRef<{ readonly x: number; readonly y: number; isMoved: boolean } | null>(null);
  const at = (event: PointerEvent) => {
    const { x = 0, y = 0 } = start.current ?? {};
    return [snap(event.clientX - x), snap(event.clientY - y)] as const;
  };
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!by) return;
    event.preventDefault();
    onDrop(snap(place.x + (by[0] as number)), snap(place.y + (by[1] as number)));
  };
  return (
    <button
      type="button"
      className={`column centre gap-half round-m shade start pin framed surface states-box`}
      aria-pressed={isOn}
      style={{ left: place.x, top: place.y }}
      onClick={() => onSelect({ kind: 'state', name: state.value })}
      onKeyDown={keys}
      onPointerDown={(event) => {
        start.current = { x: event.clientX - place.x, y: event.clientY - place.y, isMoved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!start.current) return;
        const [x, y] = at(event);
        if (!start.current.isMoved && Math.abs(x - place.x) + Math.abs(y - place.y) < 8) return;
        start.current.isMoved = true;
        onHold(x, y);
      }}
      onPointerUp={(event) => {
        if (start.current?.isMoved) onDrop(...at(event));
        start.current = null;
      }}
    >
      <span className="line gap-2">
        <span className={`square-10 round-3 mut rigid self-centre bg-current ${state.look ?? ''}`} aria-hidden="true" />
        <bdi className="strong cut">{state.label}</bdi>
      </span>
      <span className="line gap-1 small mut">
        {state.count === null ? t('Not published yet') : tn('{n} record', '{n} records', state.count)}
        {state.locks.length > 0 && <Icon name="lock" size={12} className="self-centre" />}
      </span>
    </button>
  );
}

function snap(value: number): number {
  return Math.max(0, Math.min(9_980, Math.round(value / 10) * 10));
}
