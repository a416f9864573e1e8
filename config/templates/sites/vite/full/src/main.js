import "./style.css";

// What browsers run on each page.
