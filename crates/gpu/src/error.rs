//! Why a GPU cannot be used.

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

/// Why a GPU cannot be used, or no longer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No driver.
    #[error("there is no NVIDIA driver here (libcuda)")]
    NoDriver,
    /// A driver, but nothing that it drives.
    #[error("there is no NVIDIA GPU here")]
    NoDevice,
    /// No compiler for the kernels.
    #[error("the kernels cannot be compiled without NVRTC (libnvrtc), which comes with the CUDA toolkit")]
    NoCompiler,
    /// The driver refuses, or the GPU is lost.
    #[error("the GPU cannot be used: {0}")]
    Driver(String),
    /// Not enough memory on the GPU.
    #[error("the GPU does not have enough free memory for this search")]
    Memory,
    /// The compiler refuses.
    #[error("the kernels do not compile: {0}")]
    Compiler(String),
    /// The program has no kernel of this name.
    #[error(
        "the program has no kernel \"{0}\"; a kernel is an extern \"C\" __global__ function that the program names"
    )]
    NoKernel(String),
    /// The device was opened with another program than the search needs.
    #[error("the GPU was opened with the kernels of another problem")]
    OtherProgram,
    /// Weights that the kernels cannot compute with.
    #[error(
        "the weight {weight} of code {code} is too large for the GPU, whose weights lie between -{most} and {most}"
    )]
    Weights {
        /// The code that has the weight.
        code: u64,
        /// The weight.
        weight: f64,
        /// The largest.
        most: f64,
    },
    /// The search mentions weights that are not there.
    #[error("the weights \"{0}\" were not given to the GPU")]
    MissingWeights(String),
    /// The weights are a network.
    #[error("the file \"{0}\" is a network, which only the processor can use: --device cpu")]
    Network(String),
    /// The expression mentions a file of games that was not given.
    #[error("the games \"{0}\" were not given")]
    MissingGames(String),
    /// Not one of the searches that the problem's kernels make.
    #[error("GPUs do not support {0}")]
    Search(String),
    /// A game that searches are to begin with does not fit.
    #[error("a game to begin with is too large for the GPU")]
    LargeGame,
    /// The start does not fit what the kernels have room for, which is named.
    #[error("this position is too large for the GPU's {0}")]
    TooLarge(&'static str),
    /// More games outgrew what the kernels have room for, which is named, than the processor could finish.
    #[error("too many games leave the GPU's {0} from this position")]
    Outgrown(&'static str),
    /// A saved state cannot be restored.
    #[error("the GPU's checkpoint cannot be resumed: {0}")]
    State(String),
}

impl From<DriverError> for GpuError {
    fn from(error: DriverError) -> GpuError {
        match error.0 {
            CUresult::CUDA_ERROR_NO_DEVICE => GpuError::NoDevice,
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => GpuError::Memory,
            _ => GpuError::Driver(
                error.error_string().map_or(format!("{error:?}"), |text| text.to_string_lossy().into_owned()),
            ),
        }
    }
}
