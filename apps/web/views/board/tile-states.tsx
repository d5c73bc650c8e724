import { Button, Icon, Skeleton, t } from '../../door/index.ts';

export function NothingHere() {
  return <p className="centred small mut tile-empty">{t('Nothing matches.')}</p>;
}

/** Replaces a tile whose data failed to load; the other tiles are not affected. */
export function TileFailure({ message, onRetry }: { readonly message: string; readonly onRetry: (() => void) | null }) {
  return (
    <div className="row scroll mut centred share centre column" role="alert">
      <Icon name="triangle-alert" size={16} />
      <p>{message}</p>
      {onRetry && (
        <Button icon="rotate-ccw" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

const places = [3, 6, 3, 4, 4, 4];

/** Placeholders for tiles. */
export function BoardSkeleton() {
  return (
    <div className="stack gap-4 board-grid" role="status" aria-busy="true">
      <span className="sr-only">{t('Loading')}</span>
      {places.map((span, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places.
          key={at}
          className="column shrink anchor framed round-l surface least-0 pad-3-4 shade board-tile"
          style={{ '--columns': span, '--rows': 2 } as React.CSSProperties}
        >
          <Skeleton width="40%" />
          <Skeleton width="65%" />
        </div>
      ))}
    </div>
  );
}
