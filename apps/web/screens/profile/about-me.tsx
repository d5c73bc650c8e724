import type { ProfileScreenData } from '@kontor/protocol';
import { type FormEvent, useId, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { ClientError, toClientError } from '../../data/client-error.ts';
import { rpc } from '../../data/rpc.ts';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { changeBootstrap, useBootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Labelled, LabelledInput } from '../../ui/labelled.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Avatar, initialsOf } from '../../ui/parts.tsx';

type Problems = Readonly<Record<string, readonly string[]>>;

/** The user's own profile data. */
export function AboutMe({ data, onSaved }: { readonly data: ProfileScreenData; readonly onSaved: () => void }) {
  const { values, problems, isChanged, set, save } = useOwnValues(data.user, onSaved);
  return (
    <form className="stack gap-4 profile-form" onSubmit={(event) => void save(event)}>
      <LabelledInput
        label={t('Name')}
        problem={problems.name?.join(' ')}
        required
        maxLength={200}
        value={values.name}
        autoComplete="name"
        onChange={(event) => set({ name: event.target.value })}
      />
      <LabelledInput
        label={t('E-mail')}
        problem={problems.email?.join(' ')}
        type="email"
        value={values.email}
        autoComplete="email"
        onChange={(event) => set({ email: event.target.value })}
      />
      <RegionFields {...{ data, values, problems, set }} />
      <Labelled
        label={t('Signature')}
        hint={t('Below messages to people outside. **Bold**, *italic* and links are understood.')}
        problem={problems.signature?.join(' ')}
      >
        {(props) => (
          <textarea
            {...props}
            className="pad-y-2 input"
            rows={3}
            maxLength={1000}
            value={values.signature}
            onChange={(event) => set({ signature: event.target.value })}
          />
        )}
      </Labelled>
      {problems.all && (
        <p className="field-problem" role="alert">
          {problems.all.join(' ')}
        </p>
      )}
      <div className="line end">
        <Button kind="primary" type="submit" disabled={!isChanged}>
          {t('Save')}
        </Button>
      </div>
    </form>
  );
}

interface OwnValues {
  readonly name: string;
  readonly email: string;
  readonly lang: string;
  readonly tz: string;
  readonly signature: string;
}

/** The values of the form, and how they are saved. */
function useOwnValues(user: ProfileScreenData['user'], onSaved: () => void) {
  const saved: OwnValues = { ...user, email: user.email ?? '', signature: user.signature ?? '' };
  const [changes, setChanges] = useState<Partial<OwnValues>>({});
  const [problems, setProblems] = useState<Problems>({});
  const { name, email, lang, tz, signature } = { ...saved, ...changes };
  const values: OwnValues = { name, email, lang, tz, signature };

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setProblems({});
    try {
      await rpc({
        model: 'core.user',
        method: 'write',
        args: [[user.id], { ...values, email: email || null, signature: signature.trim() || null }],
      });
      showToast({ kind: 'success', title: t('Saved') });
      if (lang !== saved.lang) return location.reload();
      changeBootstrap((now) => ({ ...now, user: { ...now.user, name, tz } }));
      onSaved();
    } catch (error) {
      const { fields, message } = toClientError(error);
      setProblems(Object.keys(fields).length > 0 ? fields : { all: [message] });
    }
  }

  return {
    ...{ values, problems, save },
    isChanged: (Object.keys(values) as (keyof OwnValues)[]).some((key) => values[key] !== saved[key]),
    set: (part: Partial<OwnValues>) => setChanges((now) => ({ ...now, ...part })),
  };
}

interface RegionFieldsProps {
  readonly data: ProfileScreenData;
  readonly values: OwnValues;
  readonly problems: Problems;
  readonly set: (part: Partial<OwnValues>) => void;
}

function RegionFields({ data, values, problems, set }: RegionFieldsProps) {
  const zones = useId();
  return (
    <>
      <Labelled label={t('Language')} problem={problems.lang?.join(' ')}>
        {(props) => (
          <select
            {...props}
            className="input"
            value={values.lang}
            onChange={(event) => set({ lang: event.target.value })}
          >
            {data.languages.map(({ code, name: label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <LabelledInput
        label={t('Time zone')}
        problem={problems.tz?.join(' ')}
        required
        list={zones}
        value={values.tz}
        onChange={(event) => set({ tz: event.target.value })}
      />
      <datalist id={zones}>
        {['UTC', ...data.timeZones].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** The user's picture; a click offers to change or remove it. */
export function Portrait({ userId, name }: { readonly userId: number; readonly name: string }) {
  const { user } = useBootstrap();
  const input = useRef<HTMLInputElement>(null);

  async function keep(image: string | null): Promise<void> {
    await rpc({ model: 'core.user', method: 'write', args: [[userId], { image }] });
    changeBootstrap((now) => {
      const { image: _old, ...rest } = now.user;
      return { ...now, user: image ? { ...rest, image: `data:image/jpeg;base64,${image}` } : rest };
    });
    showToast({ kind: 'success', title: t('Saved') });
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) squarePicture(file).then(keep).catch(showError);
        }}
      />
      <Menu
        label={t('Picture')}
        entries={[
          { key: 'new', label: t('Choose a picture …'), icon: 'image', run: () => input.current?.click() },
          {
            key: 'none',
            label: t('Remove'),
            icon: 'trash-2',
            isDisabled: !user.image,
            run: () => void keep(null).catch(showError),
          },
        ]}
        trigger={(props) => (
          <button
            type="button"
            className="circle profile-portrait"
            aria-label={t('{initials}: change your picture', { initials: initialsOf(name) })}
            {...props}
          >
            <Avatar name={name} image={user.image} size="l" />
          </button>
        )}
      />
    </>
  );
}

const side = 256;

/** The centre of an image as a small square JPEG, in base64. */
async function squarePicture(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) throw new ClientError('validation', t('The browser cannot show this picture.'));
  const size = Math.min(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const [x, y] = [(picture.width - size) / 2, (picture.height - size) / 2];
  canvas.getContext('2d')?.drawImage(picture, x, y, size, size, 0, 0, side, side);
  picture.close();
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
}
