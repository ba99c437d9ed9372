pub mod uniform;
