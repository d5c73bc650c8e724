import { Component, type ComponentType, type CSSProperties, memo, type ReactNode } from 'react';
import { expireModel, lazyComponent, t, toClientError } from '../../door/index.ts';
import { CalendarTile } from './calendar-tile.tsx';
import { FigureTile } from './figure-tile.tsx';
import { GraphTile } from './graph-tile.tsx';
import { ListTile } from './list-tile.tsx';
import { PivotTile } from './pivot-tile.tsx';
import { TileFailure } from './tile-states.tsx';
import type { Tile, TileProps } from './tile-view.ts';

const { Component: MapTile } = lazyComponent<TileProps>(async () => (await import('./map-tile.tsx')).MapTile);

const bodies: Readonly<Record<Tile['kind'], ComponentType<TileProps>>> = {
  figure: FigureTile,
  graph: GraphTile,
  pivot: PivotTile,
  list: ListTile,
  calendar: CalendarTile,
  map: MapTile,
};

interface TileFrameProps {
  readonly tile: Tile;
  readonly className?: string;
  /** Handles and buttons for edit mode. */
  readonly tools?: ReactNode;
}

/** One tile: its name, which opens the original screen, and its content. */
export const TileFrame = memo(function TileFrame({ tile, className = '', tools }: TileFrameProps) {
  const { name, query, screen, error, kind, width, height } = tile;
  const Body = bodies[kind];
  const place = { '--columns': width, '--rows': height } as CSSProperties;
  const title = name || t('Hidden');
  return (
    <article
      className={`column shrink anchor framed round-l surface least-0 pad-3-4 shade board-tile tile-${kind}-frame ${className}`}
      style={place}
      aria-label={title}
      data-drag-item={String(tile.id)}
    >
      <header className="row apart least-24 tile-head">
        <h2 className={tools && name ? 'sr-only' : 'shrink cut normal medium mut'}>
          {query && !tools ? (
            <a className="accents underlines" href={`/web?${query}`}>
              {title}
            </a>
          ) : (
            title
          )}
        </h2>
        {tools}
      </header>
      {screen ? (
        <TileBoundary key={query} onRetry={loadAgain}>
          <Body {...{ tile, screen }} />
        </TileBoundary>
      ) : (
        <TileFailure message={error?.message ?? ''} onRetry={error?.code === 'ACCESS_DENIED' ? null : loadAgain} />
      )}
    </article>
  );
});

/** Tiles load together with their board. */
function loadAgain(): void {
  expireModel('sys.board');
}

interface BoundaryProps {
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** An error boundary, so that a failure replaces only its own tile. */
class TileBoundary extends Component<BoundaryProps, { readonly failure: unknown }> {
  static getDerivedStateFromError(failure: unknown) {
    return { failure };
  }

  override state = { failure: null as unknown };

  override render() {
    const { children, onRetry } = this.props;
    if (this.state.failure === null) return children;
    const retry = () => {
      this.setState({ failure: null });
      onRetry();
    };
    return <TileFailure message={toClientError(this.state.failure).message} onRetry={retry} />;
  }
}
