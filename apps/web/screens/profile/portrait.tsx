import { useRef } from 'react';
import { showError } from '../../data/changes.ts';
import { rpc } from '../../data/rpc.ts';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { changeBootstrap, useBootstrap } from '../../state/bootstrap.ts';
import { Menu } from '../../ui/menu.tsx';
import { Avatar, initialsOf } from '../../ui/parts.tsx';
import { squarePicture } from './square-picture.ts';

/** One's own picture: pressed, it can be changed or taken away. */
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
            className="profile-portrait"
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
