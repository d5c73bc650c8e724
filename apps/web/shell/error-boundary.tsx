import { Component, type ReactNode } from 'react';
import { toClientError } from '../data/client-error.ts';
import { ErrorScreen } from '../ui/error-screen.tsx';

interface Props {
  readonly children: ReactNode;
  /** Going anywhere gives the screen another chance. */
  readonly visit: number;
}

interface State {
  readonly error: unknown;
}

/** A mistake in one screen leaves the shell standing. React knows no function for this. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (before.visit !== this.props.visit && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <ErrorScreen error={toClientError(this.state.error)} retry={() => this.setState({ error: null })} />;
  }
}
