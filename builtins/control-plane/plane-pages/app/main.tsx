// Starts the web pages of the control plane.
import '#page/kit/set-nonce.ts';
import '#page/kit/tokens.css';
import '#page/kit/base.css';
import './base/pieces.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(<App brand={document.title} />);
