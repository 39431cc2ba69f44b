/** A picture turned and cut: the result is a picture of its own, and the one that it was made from stays. */
import { useId, useState } from 'preact/hooks';
import { ask, namespace } from './api.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { localAddress, type Medium, plain } from './records.ts';
import { useOnce } from './once.ts';
import { say } from './words.ts';

interface CropProps {
  readonly medium: Medium;
  onDone(made: Medium): void;
  onClose(): void;
}

/** In percent of the picture as it is shown. */
interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const whole: Part = { left: 0, top: 0, width: 100, height: 100 };
const within = (value: number, most: number): number => Math.round(Math.min(Math.max(value, 0), most) * 10) / 10;

export function Crop({ medium, onDone, onClose }: CropProps) {
  const id = useId();
  const [part, setPart] = useState(whole);
  const [angle, setAngle] = useState(0);
  const [start, setStart] = useState<{ x: number; y: number } | null>(null);
  const [isBusy, once] = useOnce();
  const [fault, setFault] = useState('');
  const labels = {
    left: say('From the left (%)'),
    top: say('From the top (%)'),
    width: say('Width (%)'),
    height: say('Height (%)'),
  };
  const { width: across = 100, height: down = 100 } = medium.media_details ?? {};
  const [x, y] = [across / 100, down / 100];
  const isCut = JSON.stringify(part) !== JSON.stringify(whole);
  const at = (event: PointerEvent & { readonly currentTarget: Element }): { x: number; y: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return {
      x: within(((event.clientX - box.left) / box.width) * 100, 100),
      y: within(((event.clientY - box.top) / box.height) * 100, 100),
    };
  };
  const make = async (): Promise<void> => {
    setFault('');
    try {
      const modifiers = [
        ...(isCut ? [{ type: 'crop', args: part }] : []),
        ...(angle === 0 ? [] : [{ type: 'rotate', args: { angle } }]),
      ];
      const { data } = await ask<Medium>(`${namespace}/media/${medium.id}/edit`, {
        method: 'POST',
        body: { src: medium.source_url, modifiers, alt_text: medium.alt_text },
      });
      onDone(data);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <Dialog title={say('Crop and rotate {name}', { name: plain(medium.title.rendered) })} onClose={onClose}>
      <p class="note">{say('The result is a new image; this one stays as it is.')}</p>
      <svg
        class="crop"
        viewBox={`0 0 ${across} ${down}`}
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setStart(at(event));
        }}
        onPointerMove={(event) => {
          if (!start) return;
          const end = at(event);
          const [width, height] = [within(Math.abs(end.x - start.x), 100), within(Math.abs(end.y - start.y), 100)];
          if (width > 1 && height > 1) setPart({ left: Math.min(end.x, start.x), top: Math.min(end.y, start.y), width, height });
        }}
        onPointerUp={() => setStart(null)}
        onPointerCancel={() => setStart(null)}
      >
        <image href={localAddress(medium.source_url)} width={across} height={down} preserveAspectRatio="none" />
        <path
          class="shade"
          fill-rule="evenodd"
          d={`M0 0H${across}V${down}H0Z M${part.left * x} ${part.top * y}h${part.width * x}v${part.height * y}h-${part.width * x}Z`}
        />
      </svg>
      <fieldset class="facts">
        <legend>{say('Keep')}</legend>
        {(['left', 'top', 'width', 'height'] as const).map((name) => (
          <label key={name} for={`${id}${name}`}>
            {labels[name]}
            <input
              id={`${id}${name}`}
              type="number"
              min={0}
              max={100}
              step="any"
              value={String(part[name])}
              onChange={({ currentTarget }) => {
                const next = { ...part, [name]: within(Number(currentTarget.value), 100) };
                setPart({
                  ...next,
                  width: within(next.width, 100 - next.left),
                  height: within(next.height, 100 - next.top),
                });
              }}
            />
          </label>
        ))}
      </fieldset>
      <div class="row">
        <button type="button" onClick={() => setAngle((angle + 270) % 360)}>
          {say('Rotate left')}
        </button>
        <button type="button" onClick={() => setAngle((angle + 90) % 360)}>
          {say('Rotate right')}
        </button>
        <span role="status">{angle === 0 ? '' : say('Rotated {angle}° clockwise', { angle })}</span>
      </div>
      {fault !== '' && <p role="alert">{fault}</p>}
      <Button
        class="main"
        isOff={isBusy || (!isCut && angle === 0) || part.width === 0 || part.height === 0}
        onClick={() => void once(make)}
      >
        {say('Save as a new image')}
      </Button>
    </Dialog>
  );
}
