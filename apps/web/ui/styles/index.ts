import './layers.css';
import '@fontsource-variable/inter/wght.css';
import './tokens.css';
import './base.css';
