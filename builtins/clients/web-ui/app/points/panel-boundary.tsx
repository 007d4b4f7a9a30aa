// Renders an error boundary around a panel.
import { Component, type ReactNode } from 'react';

interface PanelBoundaryProps {
  readonly renderFault: (fault: unknown) => ReactNode;
  readonly children: ReactNode;
}

export class PanelBoundary extends Component<PanelBoundaryProps, { readonly fault?: { readonly cause: unknown } }> {
  override state: { readonly fault?: { readonly cause: unknown } } = {};

  static getDerivedStateFromError(cause: unknown) {
    return { fault: { cause } };
  }

  override render() {
    const { fault } = this.state;
    return fault ? this.props.renderFault(fault.cause) : this.props.children;
  }
}
