import { type IconName, icons, isIconName } from './icons.ts';

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
  readonly className?: string;
}

/** Decoration only: the control that holds it carries the name. */
export function Icon({ name, size = 16, className }: IconProps) {
  const Drawn = icons[name];
  return (
    <Drawn size={size} strokeWidth={1.75} aria-hidden="true" focusable="false" className={`icon ${className ?? ''}`} />
  );
}

/** An icon that data names: a picture by its address, or one of ours; one that is not known becomes a plain box. */
export function NamedIcon({ name, ...rest }: Omit<IconProps, 'name'> & { readonly name: string | undefined }) {
  if (name?.startsWith('/')) return <Picture address={name} {...rest} />;
  return <Icon name={name && isIconName(name) ? name : 'box'} {...rest} />;
}

function Picture({ address, size = 16, className }: Omit<IconProps, 'name'> & { readonly address: string }) {
  return <img className={`icon icon-picture ${className ?? ''}`} src={address} width={size} height={size} alt="" />;
}
