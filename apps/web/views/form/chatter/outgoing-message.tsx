import { type Outgoing, sendAgain, takeBack } from '../../../data/form/outgoing.ts';
import { t } from '../../../i18n/messages.ts';
import { useBootstrap } from '../../../state/bootstrap.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Avatar } from '../../../ui/parts.tsx';

/** One's own comment on its way. */
export function OutgoingMessage({ comment }: { readonly comment: Outgoing }) {
  const { user } = useBootstrap();
  const { key, text, files, problem, isWaiting } = comment;
  return (
    <li className={`chatter-message ${problem ? '' : 'is-leaving'}`}>
      <Avatar name={user.name} image={user.image} />
      <div>
        <b>{user.name}</b>
        <span className="chatter-when">{problem ? '' : t('sending …')}</span>
        <div className="chatter-bubble chatter-plain">
          {text}
          {files.map((file) => (
            <span key={file.name} className="chatter-file">
              <Icon name="paperclip" size={14} /> {file.name}
            </span>
          ))}
        </div>
        {problem && (
          <p className="chatter-problem" role="alert">
            {isWaiting ? t('Not sent yet. It goes out when the server is back.') : t(problem)}
            <Button kind="bare" onClick={() => sendAgain(key)}>
              {t('Try again')}
            </Button>
            <Button kind="bare" onClick={() => takeBack(key)}>
              {t('Discard')}
            </Button>
          </p>
        )}
      </div>
    </li>
  );
}
