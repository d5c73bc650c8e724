import { useEffect, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface CropProps {
  readonly file: File;
  readonly label: string;
  onDone(base64: string): void;
  onClose(): void;
}

const frame = 320;
const output = 512;

interface CropArea {
  readonly zoom: number;
  /** The centre of the crop area, from 0 to 1 of the image. */
  readonly x: number;
  readonly y: number;
}

/** Crops an image to a square and scales it down. Drag, arrow keys and the slider choose the area. */
// Over 60 lines: pointer, keys and slider change the same area.
export function Crop({ file, label, onDone, onClose }: CropProps) {
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [cut, setCut] = useState<CropArea>({ zoom: 1, x: 0.5, y: 0.5 });
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    whileBusy(createImageBitmap(file)).then(setPicture, (error) => {
      showError(error);
      onClose();
    });
  }, [file, onClose]);
  useEffect(() => {
    if (picture && canvas.current) draw(canvas.current, picture, cut);
  }, [picture, cut]);
  const move = (x: number, y: number) =>
    setCut((now) => kept({ ...now, x: now.x + x / now.zoom, y: now.y + y / now.zoom }));
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowLeft: [-0.02, 0], ArrowRight: [0.02, 0], ArrowUp: [0, -0.02], ArrowDown: [0, 0.02] }[event.key];
    if (!step) return;
    event.preventDefault();
    move(step[0] as number, step[1] as number);
  };
  const done = () => {
    if (!picture) return;
    const target = document.createElement('canvas');
    target.width = Math.min(output, picture.width, picture.height);
    target.height = target.width;
    draw(target, picture, cut);
    const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
    onDone(target.toDataURL(type, 0.88).replace(/^[^,]*,/, ''));
  };
  return (
    <Dialog
      title={t('Crop picture')}
      onClose={onClose}
      width={400}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={!picture} onClick={done}>
            {t('Use it')}
          </Button>
        </>
      }
    >
      <canvas
        ref={canvas}
        className="full sunken round-m image-crop"
        width={frame}
        height={frame}
        tabIndex={0}
        role="img"
        aria-label={t('{label}: use the arrow keys to move the crop area', { label })}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.buttons === 1) move(-event.movementX / frame, -event.movementY / frame);
        }}
      />
      <label className="row gap-3 above-3">
        {t('Zoom')}
        <input
          className="share"
          type="range"
          min={1}
          max={4}
          step={0.05}
          value={cut.zoom}
          onChange={(event) => setCut((now) => kept({ ...now, zoom: Number(event.target.value) }))}
        />
      </label>
    </Dialog>
  );
}

function kept(cut: CropArea): CropArea {
  const inside = (value: number) => Math.max(0, Math.min(1, value));
  return { ...cut, x: inside(cut.x), y: inside(cut.y) };
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, { zoom, x, y }: CropArea): void {
  const side = Math.min(picture.width, picture.height) / zoom;
  const left = (picture.width - side) * x;
  const top = (picture.height - side) * y;
  const context = canvas.getContext('2d');
  context?.clearRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** A picture in its own shape, small enough to be sent. */
export async function shrink(file: File): Promise<string> {
  const picture = await whileBusy(createImageBitmap(file));
  const scale = Math.min(1, output / picture.width, output / picture.height);
  const target = document.createElement('canvas');
  target.width = Math.max(1, Math.round(picture.width * scale));
  target.height = Math.max(1, Math.round(picture.height * scale));
  target.getContext('2d')?.drawImage(picture, 0, 0, target.width, target.height);
  return target.toDataURL(file.type === 'image/png' ? 'image/png' : 'image/jpeg', 0.88).replace(/^[^,]*,/, '');
}
