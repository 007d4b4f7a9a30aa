// Renders plain text instead if rendering fails, without affecting surrounding components.
import { Component, type ReactNode } from 'react';

interface Props {
  readonly text: string;
  readonly children: ReactNode;
}

interface State {
  readonly hasFailed: boolean;
  /** Text for which rendering failed; a changed text is tried again. */
  readonly brokenText?: string;
}

export class PlainOnError extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return state.hasFailed ? { hasFailed: false, brokenText: props.text } : null;
  }

  override render() {
    const { text, children } = this.props;
    return this.state.brokenText === text ? (
      <p className="md-plain" dir="auto">
        {text}
      </p>
    ) : (
      children
    );
  }
}
