import { Icon } from '../../ui/icon.tsx';

export function HandleRead() {
  return <Icon name="grip-vertical" className="dim" />;
}
